/// Why nothing was fetched. The words name the address without user, password and query: those may be secrets.
package struct HTTPFetchError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// What was given, or a redirection, is not an address this client can use.
    case badAddress
    case hostUnknown
    case connectionRefused
    /// No route, or nobody answers.
    case unreachable
    /// The server's certificate is expired, for another name, or from nobody known.
    case untrusted
    /// TLS failed for another reason.
    case secureTransport
    case timeout
    /// The body is larger than `limit` bytes.
    case tooLarge(limit: Int)
    /// Too many redirections, or one that is not followed.
    case redirect
    /// Any answer that is neither the thing itself nor a redirection.
    case status(Int)
    /// The answer is not HTTP, or not any that was asked for.
    case malformed
    /// The connection ended before the answer did.
    case truncated
    /// Other trouble of the network.
    case network
    /// The task was cancelled.
    case cancelled
  }

  package var kind: Kind
  /// What happened, for somebody who knows the address.
  package var reason: String
  /// What could not be fetched, as it may be shown; nil when it is no address.
  package var address: String?

  init(_ kind: Kind, address: String?, _ reason: String) {
    self.kind = kind
    self.reason = reason
    self.address = address
  }

  package var description: String { address.map { "cannot fetch \($0): \(reason)" } ?? reason }
}
