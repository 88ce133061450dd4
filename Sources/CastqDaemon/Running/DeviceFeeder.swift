package import CastSender
package import CastqCore
import CastqMediaServer
package import CastqStore
import Glibc
package import Logging

/// One device, fed in this process: the lock, its part of the server for local files, the runner. Built and wired here alone.
package final class DeviceFeeder: Sendable {
  private let device: KnownDevice
  private let database: Database
  private let lock: DatabaseLock
  private let host: FeederHost?
  private let logger: Logger

  /// Takes the device's lock; `StoreError.busy` when another feeder has it.
  /// - Parameter host: what it shares with other feeders of this process; nil has everything of its own.
  package init(
    device: KnownDevice, database: Database, host: FeederHost? = nil, logger: Logger
  ) throws(StoreError) {
    self.device = device
    self.database = database
    self.host = host
    self.logger = logger
    lock = try DatabaseLock(.feeder(device.id), of: database)
  }

  /// Gives the lock back; for a feeder that was never started.
  package func release() { lock.release() }

  fileprivate enum Wish: Sendable {
    case end(RunnerEnding, String)
    case poke
    case keepVolume(Double?)
    case loop(Bool)
    case control(ControlCommand, ControlTicket)
  }

  /// A run under way.
  package struct Run: Sendable {
    fileprivate let task: Task<RunEnd, Never>
    fileprivate let wishes: AsyncStream<Wish>.Continuation

    /// Ends it: what plays is cut and waits again.
    package func stop(_ reason: String) { end(.stop, reason) }

    /// Ends it in this way; when the screen is left as it is, the next feeder takes up what plays.
    package func end(_ manner: RunnerEnding, _ reason: String) { wishes.yield(.end(manner, reason)) }

    /// Says that somebody has written to the database.
    package func poke() { wishes.yield(.poke) }

    /// Keeps the device at another loudness from now on, 0 to 1; nil is the one it had before castq came.
    package func keepVolume(_ level: Double?) { wishes.yield(.keepVolume(level)) }

    /// Has the list start over at its end from now on, or not any more.
    package func loop(_ isLooping: Bool) { wishes.yield(.loop(isLooping)) }

    /// Does what was asked and says what came of it, also when the run is over.
    package func control(_ command: ControlCommand) async -> ControlReply {
      await withCheckedContinuation { wishes.yield(.control(command, ControlTicket($0))) }
    }

    /// How it ended.
    package func outcome() async -> RunEnd { await task.value }
  }

  /// Begins to feed. What a feeder before us left behind is put in order first.
  package func start(
    options: RunnerOptions, time: TimeSource = .continuous, report: @escaping @Sendable (RunnerReport) -> Void
  ) -> Run {
    let (wishes, sender) = AsyncStream.makeStream(of: Wish.self)
    let task = Task {
      let host = self.host ?? FeederHost(database: database)
      let outcome = await self.run(on: host, options: options, time: time, wishes: wishes, report: report)
      sender.finish()
      // Commands that came too late are told so by the end of their tickets.
      for await _ in wishes {}
      if self.host == nil { await host.shutDown(logger) }
      return outcome
    }
    return Run(task: task, wishes: sender)
  }

  private func run(
    on host: FeederHost, options: RunnerOptions, time: TimeSource, wishes: AsyncStream<Wish>,
    report: @escaping @Sendable (RunnerReport) -> Void
  ) async -> RunEnd {
    let outcome: RunEnd
    var runner: QueueRunner?
    var control: ControlServer?
    let (media, share) = await media(of: host)
    do throws(StoreError) {
      let made = try await database.executor.run { [device, database, logger] () throws(StoreError) in
        try QueueRunner(
          device: device, database: database, media: media, options: options, logger: logger, time: time,
          report: report)
      }
      runner = made
      if let socket = host.socket {
        lock.announce(socket: socket)
      } else {
        control = await serveControl(of: made)
      }
      let granter = Task {
        for await wish in wishes { await Self.grant(wish, to: made) }
      }
      outcome = await made.run()
      granter.cancel()
      await granter.value
    } catch {
      outcome = .failed(ControlFailure(error))
    }
    share?.end()
    // Whoever asked for the end may start the next feeder as soon as that is answered: nothing of this one is left then.
    await control?.stopListening()
    lock.release()
    await runner?.answerLast()
    await control?.stop()
    return outcome
  }

  private static func grant(_ wish: Wish, to runner: QueueRunner) async {
    switch wish {
    case .end(.stop, let reason): runner.stop(reason)
    case .end(.leave, _): runner.leave()
    case .poke: runner.poke()
    case .keepVolume(let level): runner.keepVolume(level)
    case .loop(let isLooping): runner.loop(isLooping)
    case .control(let command, let ticket): runner.control(command, for: ticket)
    }
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
  private func media(of host: FeederHost) async -> (MediaResolver, SharedMedia.Share?) {
    do {
      let address = try LocalAddress.reaching(device.endpoint.host)
      let share = try await host.share()
      return (MediaResolver(server: share, host: address.urlHost), share)
    } catch {
      return (MediaResolver(problem: "local files cannot be served: \(error)"), nil)
    }
  }
}
