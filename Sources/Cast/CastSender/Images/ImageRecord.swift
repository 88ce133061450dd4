import CastTLS

/// One cached image as stored on disk: a few lines of text, an empty line, the bytes. A truncated or modified record is invalid, so
/// no other file must be kept consistent with it.
struct ImageRecord: Hashable, Sendable {
  var bytes: [UInt8]
  /// The server's `ETag`; nil without one.
  var entityTag: String?
  /// The server's `Last-Modified`; nil without one.
  var lastModified: String?
  /// Milliseconds since 1970.
  var fetchedAt: Int64

  /// More than two headers of the greatest length that `CastHTTP` passes on.
  static let headLimit = 20 * 1024
  private static let firstLine = "castq image 1"

  init(bytes: [UInt8], entityTag: String?, lastModified: String?, fetchedAt: Int64) {
    self.bytes = bytes
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.fetchedAt = fetchedAt
  }

  /// Nil if the file is truncated or modified.
  init?(file: [UInt8]) throws(TLSError) {
    var rest = file[...]
    var fields: [String: String] = [:]
    func line() -> String? {
      guard let end = rest.prefix(Self.headLimit).firstIndex(of: 0x0A) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(validating: rest[..<end], as: UTF8.self)
    }
    guard line() == Self.firstLine else { return nil }
    while let text = line(), !text.isEmpty {
      guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), fields.count < 5 else { return nil }
      fields[String(text[..<colon])] = String(text[text.utf8.index(after: colon)...])
    }
    guard let fetchedAt = fields["fetched"].flatMap({ Int64($0) }), let digest = fields["sha256"],
      try SHA256.text(of: rest) == digest
    else { return nil }
    self.init(
      bytes: Array(rest), entityTag: fields["etag"], lastModified: fields["last-modified"],
      fetchedAt: fetchedAt)
  }

  func file() throws(TLSError) -> [UInt8] {
    var head = "\(Self.firstLine)\nfetched:\(fetchedAt)\nsha256:\(try SHA256.text(of: bytes))\n"
    if let entityTag { head += "etag:\(entityTag)\n" }
    if let lastModified { head += "last-modified:\(lastModified)\n" }
    return Array((head + "\n").utf8) + bytes
  }
}
