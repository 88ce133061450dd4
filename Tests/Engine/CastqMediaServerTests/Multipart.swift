/// An answer with several parts, read as a client reads it (RFC 2046 5.1.1, RFC 9110 14.6).
struct Multipart {
  struct Part {
    var type: String?
    var range: String?
    var bytes: [UInt8]
  }

  let boundary: String
  var parts: [Part] = []

  init(_ answer: RawClient.Response) throws {
    let type = answer.headers["content-type"] ?? ""
    let prefix = "multipart/byteranges; boundary="
    guard type.hasPrefix(prefix) else { throw RawClient.Failure(what: "the type \(type)") }
    boundary = String(type.dropFirst(prefix.count))
    var rest = answer.body[...]
    func skip(_ text: String) throws {
      guard rest.starts(with: text.utf8) else { throw RawClient.Failure(what: "no \(text.debugDescription)") }
      rest = rest.dropFirst(text.utf8.count)
    }
    try skip("--\(boundary)")
    while !rest.starts(with: "--".utf8) {
      try skip("\r\n")
      var part = Part(bytes: [])
      while !rest.starts(with: "\r\n".utf8) {
        let line = String(decoding: rest.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        try skip(line + "\r\n")
        if line.hasPrefix("Content-Type: ") { part.type = String(line.dropFirst(14)) }
        if line.hasPrefix("Content-Range: ") { part.range = String(line.dropFirst(15)) }
      }
      try skip("\r\n")
      let end = Array("\r\n--\(boundary)".utf8)
      while !rest.starts(with: end), let byte = rest.popFirst() { part.bytes.append(byte) }
      try skip("\r\n--\(boundary)")
      parts.append(part)
    }
    try skip("--\r\n")
    guard rest.isEmpty else { throw RawClient.Failure(what: "\(rest.count) bytes after the last part") }
  }
}
