import NIOHTTP1

/// The conditions of a request (RFC 9110 13).
///
/// Dates are compared as text: a client only has dates from this server.
struct RequestConditions {
  private let ifMatch: [String]
  private let ifNoneMatch: [String]
  private let ifModifiedSince: String?
  private let ifRange: String?

  init(_ headers: HTTPHeaders) {
    ifMatch = headers[canonicalForm: "If-Match"].map(String.init)
    ifNoneMatch = headers[canonicalForm: "If-None-Match"].map(String.init)
    ifModifiedSince = headers.first(name: "If-Modified-Since")
    ifRange = headers.first(name: "If-Range")
  }

  /// False when the client requires a content that the file no longer has.
  func allows(_ version: MediaFileVersion) -> Bool {
    ifMatch.isEmpty || ifMatch.contains("*") || ifMatch.contains(version.etag)
  }

  /// Whether the client's cached content is current. If-Modified-Since counts only without If-None-Match.
  func hasCurrentCopy(of version: MediaFileVersion) -> Bool {
    guard ifNoneMatch.isEmpty else {
      // RFC 9110 requires the weak comparison here.
      return ifNoneMatch.contains { $0 == "*" || $0 == version.etag || $0 == "W/" + version.etag }
    }
    return ifModifiedSince != nil && ifModifiedSince == version.lastModified
  }

  /// False when the client holds the first part of another content: it then needs the whole file.
  func allowsRange(of version: MediaFileVersion, now: Int) -> Bool {
    guard let ifRange else { return true }
    if ifRange == version.etag { return true }
    // Two changes within a second have the same date, so a recent date proves nothing.
    let (age, over) = now.subtractingReportingOverflow(version.modified)
    return ifRange == version.lastModified && !over && age >= 1
  }
}
