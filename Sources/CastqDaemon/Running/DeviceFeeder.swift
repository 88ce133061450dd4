import CastSender
import CastqCore
import CastqMediaServer
package import CastqStore
import Glibc
package import Logging
import NIOCore
import NIOPosix

/// One device, fed in this process: the lock, the server for local files, the runner. Built and wired here alone.
package final class DeviceFeeder: Sendable {
  private let device: KnownDevice
  private let database: Database
  private let lock: FeederLock
  private let logger: Logger

  /// Takes the device's lock; `StoreError.busy` when another feeder has it.
  package init(device: KnownDevice, database: Database, logger: Logger) throws(StoreError) {
    self.device = device
    self.database = database
    self.logger = logger
    lock = try FeederLock(database: database, device: device.id)
  }

  /// Gives the lock back; for a feeder that was never started.
  package func release() { lock.release() }

  fileprivate enum Wish: Sendable {
    case stop(String)
    case leave
    case poke
  }

  /// A run under way.
  package struct Run: Sendable {
    fileprivate let task: Task<RunnerOutcome, Never>
    fileprivate let wishes: AsyncStream<Wish>.Continuation

    /// Ends it: what plays is cut and waits again.
    package func stop(_ reason: String) { wishes.yield(.stop(reason)) }

    /// Ends it and leaves the screen as it is: the next feeder takes up what plays.
    package func leave() { wishes.yield(.leave) }

    /// Says that this process has written to the database.
    package func poke() { wishes.yield(.poke) }

    /// How it ended.
    package func outcome() async -> RunnerOutcome { await task.value }
  }

  /// Begins to feed. What a feeder before us left behind is put in order first.
  package func start(options: RunnerOptions, report: @escaping @Sendable (RunnerReport) -> Void) -> Run {
    let (wishes, sender) = AsyncStream.makeStream(of: Wish.self)
    let task = Task { await self.run(options: options, wishes: wishes, report: report) }
    return Run(task: task, wishes: sender)
  }

  private func run(
    options: RunnerOptions, wishes: AsyncStream<Wish>, report: @escaping @Sendable (RunnerReport) -> Void
  ) async -> RunnerOutcome {
    // Files have an event loop of their own: a disk that stalls must not delay a heartbeat.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = MediaServer(group: group)
    var outcome: RunnerOutcome
    var runner: QueueRunner?
    var control: ControlServer?
    do throws(StoreError) {
      let made = try QueueRunner(
        device: device, database: database, media: await resolver(server), options: options, logger: logger,
        report: report)
      runner = made
      control = await serveControl(of: made)
      let granter = Task {
        for await wish in wishes {
          switch wish {
          case .stop(let reason): made.stop(reason)
          case .leave: made.leave()
          case .poke: made.poke()
          }
        }
      }
      outcome = await made.run()
      granter.cancel()
      await granter.value
    } catch {
      outcome = .failed(error)
    }
    await server.stop()
    // Whoever asked for the end may start the next feeder as soon as that is answered: nothing of this one is left then.
    await control?.stopListening()
    lock.release()
    await runner?.answerLast()
    await control?.stop()
    do { try await group.shutdownGracefully() } catch {
      logger.notice("event loops did not end in order", metadata: ["error": "\(error)"])
    }
    return outcome
  }

  /// Feeding goes before control: without a place for a socket, the device is fed all the same.
  private func serveControl(of runner: QueueRunner) async -> ControlServer? {
    do throws(ControlSocketError) {
      let path = try SocketPath.choose(
        database: database.path, device: device.id,
        runtime: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
      let server = try await ControlServer.start(path: path) { [id = device.id] request in
        guard request.device == id else {
          return .failed(
            ControlFailure(
              "device_unknown", "this feeder does not feed device \(request.device)", exit: .deviceUnknown))
        }
        return await runner.control(request.command)
      }
      lock.announce(socket: path)
      return server
    } catch {
      logger.warning("live commands cannot be taken", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// Without an address that the device can reach, local files cannot be served; the session will say what is wrong.
  private func resolver(_ server: MediaServer) async -> MediaResolver {
    do {
      let address = try LocalAddress.reaching(device.endpoint.host)
      try await server.start()
      return MediaResolver(server: server, host: address.urlHost)
    } catch {
      return MediaResolver(problem: "local files cannot be served: \(error)")
    }
  }
}
