import CastqGzip
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers that are compressed on their way (RFC 9110, 8.4), for browsers that read gzip.
///
/// A whole body alone is: events are written as they come, and pictures and films are compressed by themselves. The body that is sent
/// has a tag of its own, since a tag names bytes. Its length tells other sites nothing: what they make a browser ask has no cookie.
enum PackedAnswer {
  /// Bytes below which an answer is one packet anyway.
  static let least = 1024

  private static let mark = "-gzip\""

  /// Whether a browser reads gzip: it names it, or anything, and not with a weight of zero.
  static func isRead(_ headers: HTTPFields) -> Bool {
    var anything = false
    for part in (headers[.acceptEncoding] ?? "").split(separator: ",") {
      let halves = part.split(separator: ";", maxSplits: 1).map { half in
        String(half.filter { $0 != " " && $0 != "\t" }).lowercased()
      }
      let isWanted =
        halves.count < 2 || halves[1].hasPrefix("q=") && (Double(halves[1].dropFirst(2)) ?? 0) > 0
      switch halves.first {
      case "gzip"?, "x-gzip"?: return isWanted
      case "*"?: anything = isWanted
      default: break
      }
    }
    return anything
  }

  /// Whether bytes of a type become fewer.
  static func pays(_ type: String?) -> Bool {
    guard let type = type?.prefix(while: { $0 != ";" }) else { return false }
    return type.hasPrefix("text/") && type != "text/event-stream"
      || type.hasPrefix("application/") && ["json", "x-ndjson"].contains { type.hasSuffix($0) }
  }

  /// What a browser says of tags, without the mark of what was compressed: whoever compares them knows nothing of it.
  static func plainTags(_ headers: HTTPFields) -> HTTPFields {
    var headers = headers
    for name in [HTTPField.Name.ifMatch, .ifNoneMatch] {
      guard let tag = headers[name], tag.hasSuffix(mark) else { continue }
      headers[name] = "\(tag.dropLast(mark.count))\""
    }
    return headers
  }

  /// Compresses an answer, or says that it might have been.
  static func pack(_ response: inout Response, for request: Request) async {
    guard Gzip.isBuiltIn else { return }
    if response.status == .notModified {
      response.headers[.vary] = "Accept-Encoding"
      // The browser knows what it has by the tag with which it asked.
      response.headers[.eTag] = request.headers[.ifNoneMatch]
    }
    guard response.headers[.contentEncoding] == nil, let length = response.body.contentLength,
      length >= least,
      pays(response.headers[.contentType])
    else { return }
    response.headers[.vary] = "Accept-Encoding"
    guard isRead(request.headers) else { return }
    let whole = WholeBody()
    do { try await response.body.write(whole) } catch { return }
    guard let packed = Gzip.compressed(whole.bytes) else { return }
    response.body = .init(byteBuffer: packed)
    response.headers[.contentEncoding] = "gzip"
    if let tag = response.headers[.eTag], tag.hasSuffix("\"") {
      response.headers[.eTag] = "\(tag.dropLast())\(mark)"
    }
  }
}

/// A body that is kept instead of sent.
private final class WholeBody: ResponseBodyWriter {
  private(set) var bytes = ByteBuffer()

  func write(_ buffer: ByteBuffer) { bytes.writeImmutableBuffer(buffer) }

  func finish(_ trailingHeaders: HTTPFields?) {}
}
