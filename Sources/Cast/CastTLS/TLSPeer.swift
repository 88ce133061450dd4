/// Information about the peer from the handshake.
package struct TLSPeer: Hashable, Sendable, CustomStringConvertible {
  /// As OpenSSL names it: "TLSv1.2", "TLSv1.3".
  package var version: String
  /// As OpenSSL names it: "TLS_AES_256_GCM_SHA384".
  package var cipher: String
  /// The complete DER of the peer's certificate, which device authentication signs (protocol 2.2); nil when it
  /// sent none. It proves nothing by itself.
  package var certificateDER: [UInt8]?

  package var description: String {
    let certificate = certificateDER.map { "certificate of \($0.count) bytes" } ?? "no certificate"
    return "\(version), \(cipher), \(certificate)"
  }
}

/// The events of `TLSHandler` for the handlers after it, as user inbound events.
package enum TLSEvent: Hashable, Sendable {
  /// Once, before the first decrypted bytes.
  case handshakeCompleted(TLSPeer)
  /// The peer sent close_notify: all its data has arrived. The channel becomes inactive next.
  case peerClosed
}
