/// Why a fetch failed. The message contains the address without user, password and query, which may be secrets.
package struct HTTPFetchError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The address, or that of a redirection, is not supported.
    case badAddress
    /// The words that name the address, or redirect to it, may not have it asked. Nothing was sent.
    case refused
    case hostUnknown
    case connectionRefused
    /// There is no route, or no reply.
    case unreachable
    /// The server's certificate is expired, for another name, or from an unknown root.
    case untrusted
    /// TLS failed for another reason.
    case secureTransport
    case timeout
    /// The body is larger than `limit` bytes.
    case tooLarge(limit: Int)
    /// Too many redirections, or one that must not be followed.
    case redirect
    /// Any response that is neither the document nor a redirection.
    case status(Int)
    /// The response is not HTTP, or has an unexpected form.
    case malformed
    /// The connection ended before the response did.
    case truncated
    /// Another network error.
    case network
    /// The task was cancelled.
    case cancelled
  }

  package var kind: Kind
  /// The cause, for a person who knows the address.
  package var reason: String
  /// The address, without secrets; nil when it is invalid.
  package var address: String?
  /// What is wrong with the certificate of the server, as OpenSSL names it; nil when it is something else.
  package var certificateFlaw: String?

  init(_ kind: Kind, address: String?, _ reason: String) {
    self.kind = kind
    self.reason = reason
    self.address = address
  }

  package var description: String { address.map { "cannot fetch \($0): \(reason)" } ?? reason }
}
