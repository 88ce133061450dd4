package import CastProtocol
import Logging
import Synchronization

/// Connections to a device that proves its identity before the session sees them (protocol 2.1).
///
/// One per session: it requires the key that the device proved first.
package final class AuthenticatingTransport: Transport {
  private let base: any Transport
  private let device: Device
  private let trust: DeviceTrust
  private let time: TimeSource
  private let learned: Mutex<DevicePin?>
  private let logger = CastLogger.shared.logger(for: .deviceAuthentication)

  /// The base transport itself when no proof is required.
  package static func wrapping(
    _ base: any Transport, device: Device, trust: DeviceTrust, time: TimeSource
  ) -> any Transport {
    if case .off = trust.policy { return base }
    return AuthenticatingTransport(base, device: device, trust: trust, time: time)
  }

  private init(_ base: any Transport, device: Device, trust: DeviceTrust, time: TimeSource) {
    self.base = base
    self.device = device
    self.trust = trust
    self.time = time
    if case .pin(let pin) = trust.policy { learned = Mutex(pin) } else { learned = Mutex(nil) }
  }

  package func redirected(to other: Device) -> any Transport {
    var trust = trust
    if case .pin = trust.policy { trust.policy = .pin(trust.pinOfOther?(other)) }
    return AuthenticatingTransport(base, device: other, trust: trust, time: time)
  }

  package func open(
    _ endpoint: DeviceEndpoint, name: String, timeout: Duration, early: EarlyLaunch?,
    deliver: @escaping @Sendable (TransportEvent) -> Void
  ) async throws(CastError) -> any TransportConnection {
    let start = time.now()
    let gate = AuthenticationGate(keepsOthers: !asksForRoots, deliver: deliver)
    let connection = try await base.open(
      endpoint, name: name, timeout: timeout, early: nil
    ) { gate.take($0) }
    let words = ConnectErrorWords(name: name, endpoint: endpoint, timeout: timeout)
    do throws(CastError) {
      let rest = min(timeout - (time.now() - start), trust.patience ?? timeout)
      try await authenticate(connection, gate, early, words, within: max(rest, .milliseconds(1)))
    } catch {
      gate.shut()
      await connection.close()
      throw error
    }
    let ready = gate.makeReady()
    for _ in 0..<ready.swallowed { connection.consumed() }
    return AuthenticatedConnection(base: connection, gate: gate, sentEarly: ready.sent)
  }

  private var asksForRoots: Bool { if case .roots = trust.policy { true } else { false } }

  /// A group answers with the key of its current leader. A device's announcements do not weaken a given pin.
  private var comparesKeys: Bool {
    guard case .pin(let pin) = trust.policy else { return false }
    return pin != nil || !device.isGroup
  }

  private func authenticate(
    _ connection: any TransportConnection, _ gate: AuthenticationGate, _ early: EarlyLaunch?,
    _ words: ConnectErrorWords, within limit: Duration
  ) async throws(CastError) {
    // The system's generator is a cryptographic one.
    let nonce = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    connection.send(
      CastMessage(
        source: .platformSender, destination: .receiver, namespace: .deviceAuth,
        payload: .binary(DeviceAuthMessage(challenge: AuthChallenge(nonce: nonce)).encoded)))
    // A sender that requires a root accepts no message before the proof (protocol 2.1).
    if let early, trust.launchesEarly, !asksForRoots {
      gate.begin(early) { [logger] message in
        logger.traceFrame("sending", message)
        connection.send(message)
      }
    }
    let outcome = await wait(for: gate, within: limit)
    let pin = comparesKeys ? learned.withLock { $0 } : nil
    do throws(AuthenticationFlaw) {
      let payload = try payload(of: outcome, words, within: limit)
      let identity = try AuthenticationVerdict(
        trust: trust, nonce: nonce, tlsCertificate: connection.peerCertificate, pin: pin,
        advertisesVideo: device.capabilities?.contains(.videoOut) ?? false,
        now: Int(time.wallMilliseconds() / 1000)
      ).identity(in: payload)
      if comparesKeys { learned.withLock { $0 = DevicePin(identity) } }
      await report(.proved(identity), at: words.endpoint)
    } catch {
      if let other = otherError(outcome, words) { throw other }
      let told = error.error(for: words.device)
      guard error.isInability, !asksForRoots, pin == nil else {
        await report(.refused(told), at: words.endpoint)
        throw told
      }
      await report(.unproved(told), at: words.endpoint)
    }
  }

  private func payload(
    of outcome: AuthenticationGate.Outcome, _ words: ConnectErrorWords, within limit: Duration
  ) throws(AuthenticationFlaw) -> CastMessage.Payload {
    switch outcome {
    case .answer(let payload): return payload
    case .otherNamespace(let namespace): throw .otherNamespace(namespace)
    case .silence: throw .silence(seconds: Int(bounded: limit.seconds.rounded(.up)))
    case .closed, .cancelled: throw .hungUp
    }
  }

  /// The error that ended the connection, which says nothing about the device's identity.
  private func otherError(
    _ outcome: AuthenticationGate.Outcome, _ words: ConnectErrorWords
  ) -> CastError? {
    switch outcome {
    case .cancelled: words.cancelled
    case .closed(.failed(let error)): error
    case .closed(.closedByPeer), .answer, .otherNamespace, .silence: nil
    }
  }

  private func wait(
    for gate: AuthenticationGate, within limit: Duration
  ) async -> AuthenticationGate.Outcome {
    let timer = Task { [time] in
      do {
        try await time.sleep(limit)
        gate.end(.silence)
      } catch {
        // The answer came first.
      }
    }
    let outcome = await withTaskCancellationHandler {
      await gate.outcome()
    } onCancel: {
      gate.end(.cancelled)
    }
    timer.cancel()
    await timer.value
    return outcome
  }

  private func report(_ result: DeviceVerdict, at endpoint: DeviceEndpoint) async {
    // It may have moved since the session was made.
    var device = device
    device.endpoint = endpoint
    switch result {
    case .proved(let identity):
      logger.debug("device proved its key", metadata: ["cast.key": "\(identity.keyHash)"])
      if let problem = identity.windowProblem {
        logger.warning("a clock seems wrong", metadata: ["cast.error": "\(problem)"])
      }
    case .unproved(let error): logger.info("device unproved", metadata: ["cast.error": "\(error)"])
    case .refused(let error): logger.warning("device refused", metadata: ["cast.error": "\(error)"])
    }
    await trust.report?(device, result)
  }
}

/// A connection that holds back the messages of the device until the session knows the connection.
private struct AuthenticatedConnection: TransportConnection {
  let base: any TransportConnection
  let gate: AuthenticationGate
  let sentEarly: EarlyLaunch.Sent

  func send(_ message: CastMessage) { base.send(message) }
  func deliverHeld() { gate.release() }
  var isWritable: Bool { base.isWritable }
  var peerCertificate: [UInt8]? { base.peerCertificate }
  var peerHost: String? { base.peerHost }
  func consumed() { base.consumed() }
  func close() async { await base.close() }
}
