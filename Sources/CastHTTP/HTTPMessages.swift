import NIOCore
import NIOHTTP1

/// One request, as it goes out.
struct HTTPRequest: Sendable {
  var address: HTTPAddress
  var head: HTTPRequestHead
  /// The most bytes of body that are taken.
  var byteLimit: Int
  /// Whether only the head of the response is read.
  var isProbe: Bool

  init(_ fetch: HTTPFetch, to address: HTTPAddress) {
    self.address = address
    // The length a server tells on HEAD is of what does not come.
    byteLimit = fetch.method == .get ? fetch.byteLimit : .max
    isProbe = fetch.method == .probe
    var headers: HTTPHeaders = [
      "Host": address.authority, "User-Agent": "castq", "Accept-Encoding": "identity", "Connection": "close",
    ]
    // What cannot stand in a header would let whoever wrote it write headers of his own.
    let optional = [
      ("Accept", fetch.accept), ("Origin", fetch.origin), ("Range", isProbe ? "bytes=0-0" : nil),
      ("If-None-Match", fetch.entityTag), ("If-Modified-Since", fetch.lastModified),
      ("Authorization", address.credentials.map { "Basic " + Base64.text(of: Array($0.utf8)) }),
    ]
    for case (let name, let value?) in optional where HTTPFieldText.isUsable(value) {
      headers.add(name: name, value: value)
    }
    head = HTTPRequestHead(
      version: .http1_1, method: fetch.method == .head ? .HEAD : .GET, uri: address.target, headers: headers)
  }
}

/// One answer, as it came in.
struct HTTPReply: Sendable {
  var head: HTTPResponseHead
  var body: [UInt8] = []

  var status: Int { Int(head.status.code) }

  /// For messages: `404 Not Found`. The words are ours, as the server's may be anything.
  var statusLine: String {
    let known = HTTPResponseStatus(statusCode: status)
    if case .custom = known { return "\(status)" }
    return "\(status) \(known.reasonPhrase)"
  }

  /// Codes that name another place for the same thing (RFC 9110, 15.4).
  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Whether the body is all of what was asked for.
  var isWhole: Bool { status == 200 || status == 203 }

  /// The first header of a name; nil when it is missing, empty or no text.
  func header(_ name: String) -> String? {
    head.headers.first(name: name).flatMap { HTTPFieldText.isUsable($0) ? $0 : nil }
  }
}

/// What may stand in the value of a header.
enum HTTPFieldText {
  /// Validators and types are short; what is longer is somebody's attempt to fill our disk.
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
  /// At least a millisecond: what has no time left shall still fail as a time-out does.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let limited = min(max(seconds, 0), 86_400 * 365)
    self = .nanoseconds(max(limited * 1_000_000_000 + max(attoseconds, 0) / 1_000_000_000, 1_000_000))
  }
}
