package import CastGuard

/// A document to fetch, and its limits.
package struct HTTPFetch: Sendable {
  /// The method of a fetch.
  package enum Method: Hashable, Sendable {
    case get
    /// Only the headers of a GET.
    case head
    /// A GET for the first bytes, as players send it: media servers often do not support HEAD. Of the body at most `byteLimit` bytes are
    /// read, as far as they come at once; with 0 it is not read.
    case probe
  }

  /// What is sent in place of asking for a document.
  package struct Post: Sendable {
    package var body: [UInt8]
    package var contentType: String
    /// Further headers; those with unusable values are left out.
    package var headers: [(name: String, value: String)]

    package init(_ body: [UInt8], contentType: String, headers: [(name: String, value: String)] = []) {
      (self.body, self.contentType, self.headers) = (body, contentType, headers)
    }
  }

  /// Sends a document with POST: every status from 200 to 299 is a success, and redirections are not followed. Nil asks for one.
  package var post: Post?
  /// An absolute `http` or `https` address. Its user and password are sent to its origin only and never displayed.
  package var address: String
  /// Whose words name the address, and what those may have asked.
  package var rule: FetchGuard
  package var method = Method.get
  /// Maximum size of the body in bytes; a larger response is an error, unless its beginning alone is asked for.
  package var byteLimit: Int
  /// The `Accept` header, such as `image/*`.
  package var accept = "*/*"
  /// The `ETag` of a cached copy: the result is `isNotModified` if it is still valid; nil fetches the document.
  package var entityTag: String?
  /// The `Last-Modified` of a cached copy, as the server sent it; nil fetches the document.
  package var lastModified: String?
  /// The `Origin` that a player on a device sends; nil sends none.
  package var origin: String?
  /// Maximum number of redirections; 0 for none.
  package var redirectLimit = 5
  /// Whether a redirection may lead from `https` to `http`.
  package var allowsDowngrade = false
  /// Time limit for one connection, TLS included.
  package var connectTimeout: Duration = .seconds(5)
  /// Time limit for the whole fetch, redirections included.
  package var timeout: Duration = .seconds(10)

  /// - Parameter rule: whose words name the address; there is none that fits all.
  package init(_ address: String, under rule: FetchGuard, byteLimit: Int) {
    self.address = address
    self.rule = rule
    self.byteLimit = byteLimit
  }
}

/// The result of a fetch: the document, or that it has not changed.
package struct HTTPFetched: Hashable, Sendable {
  /// The address after all redirections, without user and password.
  package var address: String
  /// How many redirections led there.
  package var redirections: Int
  /// The IP address that sent it; nil when the system does not report it.
  package var peer: IPAddress?
  /// The cached copy is still valid (304); the body is then empty.
  package var isNotModified: Bool
  /// The `Content-Type` as the server sent it, parameters included; nil when it is absent or unusable.
  package var contentType: String?
  /// The `Content-Disposition` as the server sent it, bytes that are not ASCII included; nil when it is absent or unusable.
  package var disposition: String?
  /// Bytes of the whole document as the server states them; nil when it does not, as for a stream without end.
  package var length: Int?
  /// The `Access-Control-Allow-Origin`: `*` lets every receiver read the document; nil when the server sends none.
  package var allowedOrigin: String?
  /// For the next `HTTPFetch`; nil when the server sends none.
  package var entityTag: String?
  /// For the next `HTTPFetch`; nil when the server sends none.
  package var lastModified: String?
  package var body: [UInt8]
}
