/// What to get from the web, and how much of it at most.
package struct HTTPFetch: Sendable {
  /// What is asked for.
  package enum Method: Hashable, Sendable {
    case get
    /// What `get` would tell, without the body.
    case head
    /// A GET for the first byte, as players send it: media servers often support no HEAD. The body is not read.
    case probe
  }

  /// An absolute `http` or `https` address. A user and password in it are sent to that origin alone and shown nowhere.
  package var address: String
  package var method = Method.get
  /// The most bytes of body that are taken; a larger answer is an error.
  package var byteLimit: Int
  /// What would be welcome, such as `image/*`.
  package var accept = "*/*"
  /// The `ETag` of what is there already: it comes back as `isNotModified` when it is still good; nil asks for all.
  package var entityTag: String?
  /// The `Last-Modified` of what is there already, as the server wrote it; nil asks for all.
  package var lastModified: String?
  /// The `Origin` that a player on a device sends; nil sends none.
  package var origin: String?
  /// How many redirections are followed; 0 for none.
  package var redirectLimit = 5
  /// Whether a redirection may lead from `https` to `http`.
  package var allowsDowngrade = false
  /// How long one connection, TLS included, may take to stand.
  package var connectTimeout: Duration = .seconds(5)
  /// How long everything may take, redirections included.
  package var timeout: Duration = .seconds(10)

  package init(_ address: String, byteLimit: Int) {
    self.address = address
    self.byteLimit = byteLimit
  }
}

/// What came back: the whole of it, or that nothing has changed.
package struct HTTPFetched: Hashable, Sendable {
  /// The address after all redirections, without user and password.
  package var address: String
  /// How many redirections led there.
  package var redirections: Int
  /// What was known already is still good (304); the body is empty then.
  package var isNotModified: Bool
  /// As the server wrote it, parameters included; nil when it says nothing usable.
  package var contentType: String?
  /// The origin whose pages may read it in a browser (`Access-Control-Allow-Origin`); nil without that header.
  package var allowedOrigin: String?
  /// For the next `HTTPFetch`; nil when the server gives none.
  package var entityTag: String?
  /// For the next `HTTPFetch`; nil when the server gives none.
  package var lastModified: String?
  package var body: [UInt8]
}
