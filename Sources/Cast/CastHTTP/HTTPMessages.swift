import CastGuard
import NIOCore
import NIOHTTP1

/// One request, as it goes out.
struct HTTPRequest: Sendable {
  var address: HTTPAddress
  var head: HTTPRequestHead
  /// Maximum size of the body in bytes.
  var byteLimit: Int
  /// Bytes of the body that are enough, which may be none; nil when the whole response is wanted.
  var beginning: Int?
  /// What is sent; empty when nothing is.
  var body: [UInt8]

  init(_ fetch: HTTPFetch, to address: HTTPAddress) {
    self.address = address
    // The length in a response to HEAD is that of the missing body.
    byteLimit = fetch.method == .get && fetch.post == nil ? fetch.byteLimit : .max
    beginning = fetch.post != nil ? 0 : fetch.method == .probe ? max(fetch.byteLimit, 0) : nil
    body = fetch.post?.body ?? []
    var headers: HTTPHeaders = [
      "Host": address.authority, "User-Agent": "castq", "Accept-Encoding": "identity", "Connection": "close",
    ]
    // Invalid header values would allow header injection.
    let optional = [
      ("Accept", fetch.accept), ("Origin", fetch.origin),
      ("Range", fetch.method == .probe ? "bytes=0-\(max(fetch.byteLimit, 1) - 1)" : nil),
      ("If-None-Match", fetch.entityTag), ("If-Modified-Since", fetch.lastModified),
      ("Authorization", address.credentials.map { "Basic " + Base64.text(of: Array($0.utf8)) }),
    ]
    for case (let name, let value?) in optional where HTTPFieldText.isUsable(value) {
      headers.add(name: name, value: value)
    }
    if let post = fetch.post {
      headers.add(name: "Content-Type", value: post.contentType)
      headers.add(name: "Content-Length", value: "\(post.body.count)")
      for (name, value) in post.headers where HTTPFieldText.isUsable(value) {
        headers.add(name: name, value: value)
      }
    }
    let method: HTTPMethod = fetch.post != nil ? .POST : fetch.method == .head ? .HEAD : .GET
    head = HTTPRequestHead(version: .http1_1, method: method, uri: address.target, headers: headers)
  }
}

/// One answer, as it came in.
struct HTTPReply: Sendable {
  var head: HTTPResponseHead
  var body: [UInt8] = []
  /// The IP address that sent it; nil when the system does not report it.
  var peer: IPAddress?

  var status: Int { Int(head.status.code) }

  /// For messages: `404 Not Found`. The phrase is the standard one, because the server's may be any text.
  var statusLine: String {
    let known = HTTPResponseStatus(statusCode: status)
    if case .custom = known { return "\(status)" }
    return "\(status) \(known.reasonPhrase)"
  }

  /// Codes of redirections to the same document (RFC 9110, 15.4).
  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Whether the body is the complete document.
  var isWhole: Bool { status == 200 || status == 203 }

  /// The length of the whole document: of a part, the server may name that of the whole.
  var length: Int? {
    guard status == 206 else { return header("content-length").flatMap { Int($0) } }
    return header("content-range")?.split(separator: "/").last.flatMap { Int($0) }
  }

  /// The first header with a name; nil when it is missing, empty or not text.
  func header(_ name: String) -> String? {
    head.headers.first(name: name).flatMap { HTTPFieldText.isUsable($0) ? $0 : nil }
  }
}

/// Whether a text is valid in the value of a header.
enum HTTPFieldText {
  /// Validators and types are short; a longer value may be an attempt to fill the disk.
  private static let longest = 8192

  static func isUsable(_ value: String) -> Bool {
    !value.isEmpty && value.utf8.count <= longest && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

/// RFC 4648, 4.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let group = rest.prefix(3)
      rest = rest.dropFirst(3)
      var bits: UInt32 = 0
      for index in 0..<3 {
        let position = group.startIndex + index
        bits = bits << 8 | (position < group.endIndex ? UInt32(group[position]) : 0)
      }
      for index in 0..<4 {
        let digit = Self.digits[Int(bits >> (18 - 6 * UInt32(index)) & 63)]
        text.append(index <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension TimeAmount {
  /// At least a millisecond: an expired deadline must fail as a time-out.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let limited = min(max(seconds, 0), 86_400 * 365)
    self = .nanoseconds(max(limited * 1_000_000_000 + max(attoseconds, 0) / 1_000_000_000, 1_000_000))
  }
}
