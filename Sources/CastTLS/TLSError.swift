/// What can go wrong with a TLS connection. The words in brackets are OpenSSL's own.
package enum TLSError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A context or an identity could not be made.
  case setup(String)
  /// The peers could not agree, or the peer does not speak TLS at all.
  case handshakeFailed(String)
  /// The connection broke under a TLS session that stood: a bad record, an alert.
  case connectionFailed(String)
  /// The peer's bytes end without a goodbye: cut off, not closed.
  case truncated
  /// Something was to be written after the end.
  case closed
  /// Too much was written before the handshake ended.
  case tooMuchBeforeHandshake

  package var description: String {
    switch self {
    case .setup(let words): "TLS could not be set up (\(words))"
    case .handshakeFailed(let words): "the TLS handshake failed (\(words))"
    case .connectionFailed(let words): "the TLS connection broke (\(words))"
    case .truncated: "the connection was cut off without a goodbye"
    case .closed: "the TLS connection is closed"
    case .tooMuchBeforeHandshake: "too much was written before the TLS handshake ended"
    }
  }
}
