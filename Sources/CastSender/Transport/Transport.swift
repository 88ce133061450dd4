package import CastProtocol

/// What a connection tells its session.
package enum TransportEvent: Sendable {
  case message(CastMessage)
  /// The last event.
  case closed(TransportCloseReason)
}

/// How a session reaches a device. A connection is used once: it is never revived, always replaced.
package protocol Transport: Sendable {
  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - name: the device as a person knows it; for errors.
  ///   - timeout: for everything until messages can be sent.
  ///   - deliver: takes what arrives, in order, on any thread. Every message has to be acknowledged by `consumed()`.
  /// - Throws: what stood in the way. When the task is cancelled, nothing is left open.
  func open(
    _ endpoint: DeviceEndpoint, name: String, timeout: Duration,
    deliver: @escaping @Sendable (TransportEvent) -> Void
  ) async throws(CastError) -> any TransportConnection
  /// The transport for a session that goes on with another device.
  func redirected(to device: Device) -> any Transport
}

extension Transport {
  package func redirected(to device: Device) -> any Transport { self }
}

/// An open connection.
package protocol TransportConnection: Sendable {
  /// Sends a message; when that fails, the connection closes.
  func send(_ message: CastMessage)
  /// Whether there is room for more before the peer has taken what was sent.
  var isWritable: Bool { get }
  /// The complete DER of the certificate the peer showed in its TLS handshake; nil when there was none.
  var peerCertificate: [UInt8]? { get }
  /// One delivered message was dealt with. A connection with too many undealt ones stops reading.
  func consumed()
  /// Closes and returns when nothing is left of the connection.
  func close() async
}

extension TransportConnection {
  package var peerCertificate: [UInt8]? { nil }
}
