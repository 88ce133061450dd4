import NIOHTTP1

/// The response to one request: computed from its header and the file's metadata, without any I/O.
struct MediaReply: Equatable {
  enum Body: Equatable {
    case none
    case text(String)
    /// A document that was made for this request, never empty.
    case bytes([UInt8])
    case file(MediaBody)
  }

  var status: HTTPResponseStatus
  var headers: HTTPHeaders
  var body: Body

  /// A short response without a file. It repeats nothing of the request.
  static func plain(_ status: HTTPResponseStatus, _ text: String, head: HTTPRequestHead?) -> MediaReply {
    let text = text + "\n"
    var headers = commonHeaders
    headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
    headers.add(name: "Content-Length", value: String(text.utf8.count))
    return MediaReply(status: status, headers: headers, body: head?.method == .HEAD ? .none : .text(text))
  }

  /// One response for files that were never published, were withdrawn, or are missing: it discloses nothing.
  static func notFound(_ head: HTTPRequestHead) -> MediaReply {
    plain(.notFound, "Not found.", head: head)
  }

  static func methodNotAllowed(_ head: HTTPRequestHead) -> MediaReply {
    var reply = plain(.methodNotAllowed, "Only GET, HEAD and OPTIONS are answered here.", head: head)
    reply.headers.add(name: "Allow", value: methods)
    return reply
  }

  /// The response to a CORS preflight, the same for every path: the secret is in the link, and a page without it learns nothing.
  static func preflight(_ head: HTTPRequestHead) -> MediaReply {
    var headers = commonHeaders
    headers.add(name: "Allow", value: methods)
    headers.add(name: "Access-Control-Allow-Methods", value: methods)
    headers.add(name: "Access-Control-Max-Age", value: "600")
    // Browsers ask this before a page of the web may use an address of the local network, as receivers' pages do.
    if head.headers.first(name: "Access-Control-Request-Private-Network") == "true" {
      headers.add(name: "Access-Control-Allow-Private-Network", value: "true")
    }
    return MediaReply(status: .noContent, headers: headers, body: .none)
  }

  /// The response to GET or HEAD for an existing file.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970; a date is a strong validator only for files older than a second.
  ///   - boundary: what separates the parts of a response with several; random.
  static func file(
    _ version: MediaFileVersion, contentType: String, head: HTTPRequestHead, now: Int,
    boundary: @autoclosure () -> String
  ) -> MediaReply {
    var headers = commonHeaders
    headers.reserveCapacity(16)
    headers.add(name: "ETag", value: version.etag)
    if let date = version.lastModified { headers.add(name: "Last-Modified", value: date) }
    headers.add(name: "Accept-Ranges", value: "bytes")
    // The file at a URL may be replaced, so caches have to revalidate.
    headers.add(name: "Cache-Control", value: "no-cache")
    let conditions = RequestConditions(head.headers)
    if !conditions.allows(version) {
      var refusal = plain(.preconditionFailed, "The file has changed.", head: head)
      refusal.headers.add(name: "ETag", value: version.etag)
      return refusal
    }
    if conditions.hasCurrentCopy(of: version) {
      return MediaReply(status: .notModified, headers: headers, body: .none)
    }
    let wanted = wantedRange(head, conditions: conditions, version: version, now: now)
    if wanted == .unsatisfiable {
      var refusal = plain(.rangeNotSatisfiable, "The range is outside the file.", head: head)
      refusal.headers.add(name: "Content-Range", value: "bytes */\(version.size)")
      refusal.headers.add(name: "Accept-Ranges", value: "bytes")
      return refusal
    }
    var status = HTTPResponseStatus.ok
    var type = contentType
    var body = version.size > 0 ? MediaBody(0..<version.size) : nil
    switch wanted {
    case .part(let part):
      status = .partialContent
      body = MediaBody(part)
      headers.add(
        name: "Content-Range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(version.size)")
    case .parts(let parts):
      let boundary = boundary()
      let several = MediaBody(parts, contentType: contentType, size: version.size, boundary: boundary)
      guard let several else { break }
      status = .partialContent
      body = several
      type = "multipart/byteranges; boundary=\(boundary)"
    case .whole, .unsatisfiable: break
    }
    headers.add(name: "Content-Type", value: type)
    headers.add(name: "Content-Length", value: String(body?.length ?? 0))
    guard head.method == .GET, let body else {
      return MediaReply(status: status, headers: headers, body: .none)
    }
    return MediaReply(status: status, headers: headers, body: .file(body))
  }

  /// The response to GET or HEAD for a document that was made for it. It has no ranges: it is small, and may differ the next time.
  static func document(_ bytes: [UInt8], contentType: String, head: HTTPRequestHead) -> MediaReply {
    var headers = commonHeaders
    headers.add(name: "Accept-Ranges", value: "none")
    headers.add(name: "Cache-Control", value: "no-cache")
    headers.add(name: "Content-Type", value: contentType)
    headers.add(name: "Content-Length", value: String(bytes.count))
    let hasBody = head.method == .GET && !bytes.isEmpty
    return MediaReply(status: .ok, headers: headers, body: hasBody ? .bytes(bytes) : .none)
  }

  private static func wantedRange(
    _ head: HTTPRequestHead, conditions: RequestConditions, version: MediaFileVersion, now: Int
  ) -> ByteRange {
    let values = head.headers["Range"]
    // Ranges are defined for GET only (RFC 9110 14.2); two header fields form one list with several parts.
    guard head.method == .GET, values.count == 1, conditions.allowsRange(of: version, now: now) else {
      return .whole
    }
    return ByteRange(header: values.first, size: version.size)
  }

  private static let methods = "GET, HEAD, OPTIONS"

  /// In every response, errors included: without CORS headers subtitles and manifests fail in silence
  /// (protocol 12.4, 21.19, 21.20).
  private static let commonHeaders: HTTPHeaders = [
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers":
      "Content-Type, Accept-Encoding, Range, If-Range, If-Match, If-None-Match, If-Modified-Since",
    "Access-Control-Expose-Headers":
      "Content-Length, Content-Range, Accept-Ranges, ETag, Last-Modified, Date",
    // For pages that embed nothing of other origins unless it says that it may be.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
  ]
}
