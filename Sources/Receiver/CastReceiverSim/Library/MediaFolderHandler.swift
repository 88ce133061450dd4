import CastProtocol
import Glibc
import NIOCore
import NIOHTTP1

/// Answers one request with a file, or a part of it, and closes the connection. The system sends the bytes from the file to the
/// socket: files may be large, and the loop is shared with the receiver.
final class MediaFolderHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// Those of media, and of what goes with them.
  private static let types = MediaNameTypes.byEnding.merging(["vtt": "text/vtt", "xml": "text/xml"]) {
    media, _ in media
  }

  private let root: String
  private var head: HTTPRequestHead?

  init(root: String) { self.root = root }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      // One request a connection: those after the first are ignored.
      guard let head = head.take() else { break }
      answer(head, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard let path = path(of: head.uri), let (file, length) = open(path) else {
      return respond(.notFound, [:], nil, head, context)
    }
    let name = path.split(separator: "/").last ?? ""
    let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    var headers: HTTPHeaders = [
      "Content-Type": Self.types[suffix] ?? "application/octet-stream", "Accept-Ranges": "bytes",
      "Access-Control-Allow-Origin": "*",
    ]
    let wanted = MediaFolderRange(head.headers.first(name: "Range"), length: length)
    switch wanted {
    case .all:
      respond(.ok, headers, FileRegion(fileHandle: file, readerIndex: 0, endIndex: length), head, context)
    case .part(let part):
      headers.add(name: "Content-Range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)")
      let region = FileRegion(fileHandle: file, readerIndex: part.lowerBound, endIndex: part.upperBound)
      respond(.partialContent, headers, region, head, context)
    case .none:
      try? file.close()
      headers.add(name: "Content-Range", value: "bytes */\(length)")
      respond(.rangeNotSatisfiable, headers, nil, head, context)
    }
  }

  /// - Parameter body: closed when it is sent; nil for none. The response to HEAD has its length alone.
  private func respond(
    _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: FileRegion?, _ request: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    var headers = headers
    headers.add(name: "Content-Length", value: String(body?.readableBytes ?? 0))
    headers.add(name: "Connection", value: "close")
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if let body, request.method != .HEAD, body.readableBytes > 0 {
      context.write(wrapOutboundOut(.body(.fileRegion(body))), promise: nil)
    }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      try? body?.fileHandle.close()
      channel.close(promise: nil)
    }
  }

  /// The file of a request, inside the folder; nil when it names none.
  private func path(of uri: String) -> String? {
    var bytes: [UInt8] = []
    var rest = uri.utf8.prefix { $0 != UInt8(ascii: "?") }[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard !bytes.contains(0) else { return nil }
    let path = MediaFolder.realPath(root + "/" + String(decoding: bytes, as: UTF8.self))
    // The root of the file system ends with its slash already.
    return path.flatMap { $0.hasPrefix(root.hasSuffix("/") ? root : root + "/") ? $0 : nil }
  }

  /// A regular file and its length in bytes; nil for anything else, without waiting for the other end of a pipe.
  private func open(_ path: String) -> (file: NIOFileHandle, length: Int)? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    return (NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor), Int(status.st_size))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// The part of a file that a `Range` selects (RFC 9110, 14).
enum MediaFolderRange: Equatable {
  /// No range, or an unsupported one: several ranges, or another unit.
  case all
  case part(Range<Int>)
  /// Nothing of the file.
  case none

  init(_ text: String?, length: Int) {
    guard let match = text?.wholeMatch(of: /bytes=(\d*)-(\d*)/), match.1 != "" || match.2 != "" else {
      self = .all
      return
    }
    // A number that does not fit lies beyond the end of the file.
    let last = match.2.isEmpty ? nil : Int(match.2) ?? .max
    guard !match.1.isEmpty else {
      let count = min(last ?? 0, length)
      self = count > 0 ? .part(length - count..<length) : .none
      return
    }
    let first = Int(match.1) ?? .max
    if let last, last < first {
      self = .all
    } else if first >= length {
      self = .none
    } else {
      self = .part(first..<min(last ?? .max, length - 1) + 1)
    }
  }
}
