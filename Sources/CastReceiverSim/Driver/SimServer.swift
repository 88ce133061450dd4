package import CastProtocol
package import CastTLS
package import NIOCore
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
    /// The device's UUID follows from its name, its port and its seed, so that no two share one.
    package var derivesUUID = false
    package var log: SimLog?
    /// Beginning of the log's times.
    package var logStart = NIODeadline.now()

    package init() {}
  }

  package let configuration: ReceiverConfiguration
  /// The address it listens on.
  let bind: String
  /// The thread the receiver lives on.
  let loop: any EventLoop
  /// Its presence on the network; nil while nobody is told of it.
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

  /// Does what a person, the network or another sender would do to the device; returns when it has taken effect. What
  /// lasts a time (`reboot`, `drop`) goes on after that; `waitUntilUp` waits for its end.
  package func control(_ control: SimControl) async throws(SimControlError) {
    try await perform { $0.control(control) }
    guard case .move = control else { return }
    let port = port
    await advertising.withLock { $0 }?.update { $0.port = port }
  }

  /// Resets all connections and refuses new ones for a time; comes up without applications.
  package func reboot(downFor time: Duration) async throws(SimControlError) {
    try await control(.reboot(downFor: time))
  }

  /// Falls off the network, for a time or (nil) until `returnToNetwork`.
  package func drop(
    for time: Duration? = nil, _ absence: SimAbsence = .silent
  ) async throws(SimControlError) {
    try await control(.drop(for: time, absence))
  }

  package func returnToNetwork() async throws(SimControlError) { try await control(.returnToNetwork) }

  /// Resets all connections; the application goes on.
  package func resetConnections() async throws(SimControlError) { try await control(.resetConnections) }

  /// Hangs up on everybody and listens elsewhere, nil for any free port; returns the port.
  @discardableResult
  package func move(toPort port: Int? = nil) async throws(SimControlError) -> Int {
    try await control(.move(port: port))
    return self.port
  }

  /// Hands what plays to another device as the cloud does, and ends it here (protocol 14.7).
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

  /// What the device does.
  package func report() async -> JSONValue {
    let driver = driver
    guard case .object(var report)? = try? await loop.submit({ driver.value.report }).get() else {
      return [:]
    }
    report["port"] = .integer(Int64(port))
    return .object(report)
  }

  /// What the device's page says (protocol 13.6); nil when there is nobody to ask.
  package func setupInformation() async -> JSONValue? {
    let driver = driver
    return try? await loop.submit { driver.value.setupInformation }.get()
  }

  /// Says goodbye, hangs up on everybody and stops listening.
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
