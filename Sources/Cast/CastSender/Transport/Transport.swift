package import CastProtocol

/// An event of a connection.
package enum TransportEvent: Sendable {
  case message(CastMessage)
  /// The last event.
  case closed(TransportCloseReason)
}

/// Opens connections to a device. A connection is used once: it is never reused, always replaced.
package protocol Transport: Sendable {
  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - name: the device's name, for errors.
  ///   - timeout: time limit until messages can be sent.
  ///   - early: what may be sent while the device proves its identity; nil for nothing.
  ///   - deliver: receives the events, in order, on any thread. Every message must be acknowledged with `consumed()`.
  /// - Throws: the cause of the failure. When the task is cancelled, nothing is left open.
  func open(
    _ endpoint: DeviceEndpoint, name: String, timeout: Duration, early: EarlyLaunch?,
    deliver: @escaping @Sendable (TransportEvent) -> Void
  ) async throws(CastError) -> any TransportConnection
  /// The transport for a session that continues with another device.
  func redirected(to device: Device) -> any Transport
}

extension Transport {
  package func redirected(to device: Device) -> any Transport { self }
}

/// An open connection.
package protocol TransportConnection: Sendable {
  /// Sends a message; if that fails, the connection closes.
  func send(_ message: CastMessage)
  /// Whether the peer has read enough of earlier messages to send more.
  var isWritable: Bool { get }
  /// The complete DER of the peer's certificate from the TLS handshake; nil when there was none.
  var peerCertificate: [UInt8]? { get }
  /// The IP address that was connected to, with its zone where it has one; nil for what is no network.
  var peerHost: String? { get }
  /// What was sent while the device proved its identity.
  var sentEarly: EarlyLaunch.Sent { get }
  /// Delivers the events since `open`, and all others from now on. The caller knows the connection now.
  func deliverHeld()
  /// Acknowledges one delivered message. A connection with too many unacknowledged ones stops reading.
  func consumed()
  /// Closes, and returns when the connection has released everything.
  func close() async
}

extension TransportConnection {
  package var peerCertificate: [UInt8]? { nil }
  package var peerHost: String? { nil }
  package var sentEarly: EarlyLaunch.Sent { .nothing }
  package func deliverHeld() {}
}
