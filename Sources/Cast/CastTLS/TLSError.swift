/// An error of a TLS connection, or of its setup. Strings are OpenSSL's messages.
///
/// The description of a connection that is lost is read by people who look after screens, in histories, reports and logs.
package enum TLSError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Negotiation failed, or the peer does not speak TLS.
  case handshakeFailed(String)
  /// A verifying context refused the server's certificate: expired, another name, an unknown root.
  case untrusted(String)
  /// The connection ended before the handshake did: a busy or restarting device (protocol 18, row 28).
  case closedDuringHandshake
  /// After the handshake: a record that cannot be decrypted, or an alert from the peer.
  case recordFailed(String)
  /// The connection ended without close_notify: the last bytes may be missing.
  case truncated
  /// The peer, or a host in between, reset the connection.
  case reset
  /// A write after the connection was closed or had failed.
  case closed
  /// More bytes were written before the end of the handshake than are buffered.
  case earlyWriteLimit(bytes: Int)
  /// A file with a certificate or a key cannot be read; in the system's words.
  case unreadable(String, String)
  /// OpenSSL refused this program's settings, key or certificate.
  case unusable(String)

  package var description: String {
    switch self {
    case .handshakeFailed(let words):
      "the TLS handshake failed: \(words)"
    case .untrusted(let words):
      "the server's certificate is not trusted: \(words)"
    case .closedDuringHandshake:
      "the peer closed the connection during the TLS handshake; it may be restarting, try again"
    case .recordFailed(let words):
      "the TLS connection broke: \(words)"
    case .truncated:
      "the connection ended without a word, as when the other end loses power or its network"
    case .reset:
      "the other end dropped the connection, as when it restarts"
    case .closed:
      "the TLS connection is closed; open a new one"
    case .earlyWriteLimit(let bytes):
      "more than \(bytes) bytes were written before the end of the TLS handshake; wait for it"
    case .unreadable(let file, let words):
      "cannot read \(file): \(words)"
    case .unusable(let words):
      "OpenSSL refused the TLS settings: \(words)"
    }
  }
}
