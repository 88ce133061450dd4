package import CastTLS
package import NIOCore
import NIOPosix
import Synchronization

/// One simulated receiver behind a TLS port.
package final class SimServer: Sendable {
  /// How a receiver meets the world; what it is stands in its `ReceiverConfiguration`.
  package struct Options: Sendable {
    /// Address to listen on. Loopback, unless somebody wants the simulator on a network.
    package var bind = "127.0.0.1"
    /// 0 for a port that is free.
    package var port = 0
    /// How many times faster than real the receiver's time runs; heartbeats stay real.
    package var speed = 1.0
    package var log: SimLog?
    /// Beginning of the log's times.
    package var logStart = NIODeadline.now()

    package init() {}
  }

  package let configuration: ReceiverConfiguration
  /// The port it listens on.
  package let port: Int
  /// The address it listens on.
  let bind: String
  /// Its presence on the network; nil while nobody is told of it.
  let advertising = Mutex<Advertiser?>(nil)
  private let listener: any Channel
  private let driver: NIOLoopBound<SimDriver>

  private init(
    configuration: ReceiverConfiguration, port: Int, bind: String, listener: any Channel,
    driver: NIOLoopBound<SimDriver>
  ) {
    self.configuration = configuration
    self.port = port
    self.bind = bind
    self.listener = listener
    self.driver = driver
  }

  /// Starts to listen. Throws when the address cannot be had.
  ///
  /// - Parameters:
  ///   - group: threads to run on; each receiver keeps to one of them.
  ///   - identity: the certificate shown to senders; receivers of one process may share it. A receiver that proves who it is
  ///     shows one of its own.
  package static func start(
    _ configuration: ReceiverConfiguration, _ options: Options, identity: TLSIdentity,
    on group: any EventLoopGroup
  ) async throws -> SimServer {
    let authentication = configuration.platform.authentication
    let authenticator =
      authentication.needsCredentials
      ? try SimAuthenticator(authentication, credentials: SimCredentials.shared.get()) : nil
    let tls = try TLSContext.server(identity: authenticator?.tls ?? identity)
    let loop = group.next()
    let driver = try await loop.submit {
      let driver = SimDriver(
        configuration: configuration, authenticator: authenticator, loop: loop, speed: options.speed,
        log: options.log,
        logStart: options.logStart)
      return NIOLoopBound(driver, eventLoop: loop)
    }.get()
    let sendsPieces = configuration.faults.contains { $0.kind == .halfFrames }
    let listener = try await ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 1 << 20, high: 4 << 20))
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(TLSHandler(context: tls, role: .server))
          try pipeline.addHandler(SimConnectionHandler(driver: driver.value, sendsPieces: sendsPieces))
        }
      }
      .bind(host: options.bind, port: options.port)
      .get()
    let port = listener.localAddress?.port ?? options.port
    return SimServer(
      configuration: configuration, port: port, bind: options.bind, listener: listener, driver: driver)
  }

  /// The thread the receiver lives on.
  var loop: any EventLoop { listener.eventLoop }

  /// Calls `onChange` on the receiver's loop with what can be seen of it now, and after each change.
  func watch(_ onChange: @escaping @Sendable (ReceiverAppearance) -> Void) async {
    let driver = driver
    await withCheckedContinuation { continuation in
      loop.execute {
        driver.value.watch(onChange)
        continuation.resume()
      }
    }
  }

  /// Does what a person, a remote control or a group would do to the device; returns when it is done.
  package func control(_ control: SimControl) async {
    let driver = driver
    await withCheckedContinuation { continuation in
      listener.eventLoop.execute {
        driver.value.control(control)
        continuation.resume()
      }
    }
  }

  /// Says goodbye, hangs up on everybody and stops listening.
  package func stop() async {
    await advertising.withLock { $0.take() }?.stop()
    let driver = driver
    listener.close(promise: nil)
    await withCheckedContinuation { continuation in
      listener.eventLoop.execute {
        driver.value.stop()
        continuation.resume()
      }
    }
  }
}
