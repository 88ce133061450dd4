package import CastProtocol
package import CastTLS
package import NIOCore
import Synchronization

/// One simulated receiver behind a TLS port.
package final class SimServer: Sendable {
  /// The environment of a receiver; its properties are in `ReceiverConfiguration`.
  package struct Options: Sendable {
    /// Address to listen on; loopback, the default, keeps the simulator off the network.
    package var bind = "127.0.0.1"
    /// Port to listen on; 0 for any that is free.
    package var port = 0
    /// Speed of the receiver's time; 1 is real time. Heartbeats stay real.
    package var speed = 1.0
    /// Whether the device derives its UUID from its name, its port and its seed, so that no two share one.
    package var derivesUUID = false
    package var log: SimLog?
    /// Origin of the log's times.
    package var logStart = NIODeadline.now()

    package init() {}
  }

  package let configuration: ReceiverConfiguration
  /// The address it listens on.
  let bind: String
  /// The event loop of the receiver.
  let loop: any EventLoop
  /// Advertises the receiver; nil while it is not advertised.
  let advertising = Mutex<Advertiser?>(nil)
  private let place: SimListener.Place
  private let driver: NIOLoopBound<SimDriver>

  private init(
    configuration: ReceiverConfiguration, bind: String, loop: any EventLoop, place: SimListener.Place,
    driver: NIOLoopBound<SimDriver>
  ) {
    self.configuration = configuration
    self.bind = bind
    self.loop = loop
    self.place = place
    self.driver = driver
  }

  /// The port it listens on; another one after `move(toPort:)`.
  package var port: Int { place.port }

  /// Starts to listen. Throws when the address is unavailable.
  ///
  /// - Parameters:
  ///   - group: threads to run on; each receiver keeps to one of them.
  ///   - identity: the certificate presented to senders; receivers of one process may share it. A receiver that authenticates
  ///     presents one of its own.
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
    let speaksTLS = !configuration.faults.contains { $0.kind == .noTLS }
    let sendsPieces = configuration.faults.contains { $0.kind == .halfFrames }
    return try await loop.submit {
      let held = try HeldPort(host: options.bind, port: options.port)
      var configuration = configuration
      if options.derivesUUID { configuration.deriveUUID(port: held.port) }
      let simulation = SimDriver(
        configuration: configuration, authenticator: authenticator, loop: loop, speed: options.speed,
        log: options.log,
        logStart: options.logStart)
      let driver = NIOLoopBound(simulation, eventLoop: loop)
      let listener = SimListener(loop: loop, host: options.bind, held: held) { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(SocketGate(driver: driver.value))
          guard speaksTLS else { return }
          try pipeline.addHandler(TLSHandler(context: tls, role: .server))
          try pipeline.addHandler(SimConnectionHandler(driver: driver.value, sendsPieces: sendsPieces))
        }
      }
      simulation.listener = listener
      listener.change(to: .open)
      let server = SimServer(
        configuration: configuration, bind: options.bind, loop: loop, place: listener.place, driver: driver)
      return listener.work.map { server }
    }.flatMap { $0 }.get()
  }

  /// Calls `onChange` on the receiver's loop with its appearance now, and after each change.
  func watch(_ onChange: @escaping @Sendable (ReceiverAppearance) -> Void) async {
    let driver = driver
    await withCheckedContinuation { continuation in
      loop.execute {
        driver.value.watch(onChange)
        continuation.resume()
      }
    }
  }

  /// Does what a person, the network or another sender would do to the device; returns when it has taken effect. What lasts a time
  /// (`reboot`, `drop`) continues after that; `waitUntilUp` waits for its end.
  package func control(_ control: SimControl) async throws(SimControlError) {
    try await perform { $0.control(control) }
    guard case .move = control else { return }
    let port = port
    await advertising.withLock { $0 }?.update { $0.port = port }
  }

  /// Closes all connections and listens on another port, nil for any that is free; returns the port.
  @discardableResult
  package func move(toPort port: Int? = nil) async throws(SimControlError) -> Int {
    try await control(.move(port: port))
    return self.port
  }

  /// Transfers the media session to another device as the cloud does, and ends it here (protocol 14.7).
  package func transfer(toHost host: String, port: Int) async throws(SimControlError) {
    let driver = driver
    let loop = loop
    let stored: StoredSession
    do {
      stored = try await loop.submit { try driver.value.storedSession() }.get()
    } catch {
      throw Self.told(error)
    }
    try await SessionCourier(stored: stored).deliver(toHost: host, port: port, on: loop)
    try await control(.exit)
  }

  /// Returns when the device is on, on the network, and listens.
  package func waitUntilUp() async throws(SimControlError) {
    try await perform { $0.untilUp() }
  }

  /// The state of the device.
  package func report() async -> JSONValue {
    let driver = driver
    guard case .object(var report)? = try? await loop.submit({ driver.value.report }).get() else {
      return [:]
    }
    report["port"] = .integer(Int64(port))
    return .object(report)
  }

  /// The content of the setup page (protocol 13.6); nil when the device is unreachable.
  package func setupInformation() async -> JSONValue? {
    let driver = driver
    return try? await loop.submit { driver.value.setupInformation }.get()
  }

  /// Sends the goodbye, closes all connections and stops listening.
  package func stop() async {
    await advertising.withLock { $0.take() }?.stop()
    let driver = driver
    let closing = loop.flatSubmit { driver.value.stop() }
    // A port that was lost before needs no closing.
    _ = try? await closing.get()
  }

  private func perform(
    _ work: @escaping @Sendable (SimDriver) -> EventLoopFuture<Void>
  ) async throws(SimControlError) {
    let driver = driver
    do {
      try await loop.flatSubmit { work(driver.value) }.get()
    } catch {
      throw Self.told(error)
    }
  }

  private static func told(_ error: any Error) -> SimControlError {
    error as? SimControlError ?? SimControlError(description: "\(error)")
  }
}
