import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// The files of a folder over http on loopback, with ranges, for tests that have no server of their own.
final class MediaFolder: Sendable {
  private let listener: any Channel

  private init(listener: any Channel) { self.listener = listener }

  static func serve(_ folder: String, on group: any EventLoopGroup) async throws -> MediaFolder {
    guard let root = realPath(folder) else {
      throw SimulatedReceiverError(description: "\(folder): \(String(cString: strerror(errno)))")
    }
    let listener = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline()
          try pipeline.addHandler(MediaFolderHandler(root: root))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return MediaFolder(listener: listener)
  }

  func address(of file: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let path = file.utf8.map { byte in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
    return "http://127.0.0.1:\(listener.localAddress?.port ?? 0)/\(path)"
  }

  func stop() async { _ = try? await listener.close() }

  /// A path without links and dots; nil when there is nothing.
  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

private final class MediaFolderHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private static let types = [
    "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "mp3": "audio/mpeg", "wav": "audio/wav",
    "m4a": "audio/mp4", "ogg": "audio/ogg", "flac": "audio/flac", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "png": "image/png", "gif": "image/gif", "webp": "image/webp", "vtt": "text/vtt", "xml": "text/xml",
    "m3u8": "application/x-mpegurl", "mpd": "application/dash+xml",
  ]

  private let root: String
  private var head: HTTPRequestHead?

  init(root: String) { self.root = root }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end: if let head { answer(head, context) }
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard let path = path(of: head.uri), let file = bytes(of: path) else {
      return say(.notFound, [:], ByteBuffer(), context)
    }
    let name = path.split(separator: "/").last ?? ""
    let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    var headers: HTTPHeaders = [
      "Content-Type": Self.types[suffix] ?? "application/octet-stream", "Accept-Ranges": "bytes",
      "Access-Control-Allow-Origin": "*",
    ]
    let start = head.headers.first(name: "Range").flatMap { range in
      range.hasPrefix("bytes=") ? Int(range.dropFirst(6).prefix { $0.isNumber }) : nil
    }
    guard let start, start < file.count else { return say(.ok, headers, ByteBuffer(bytes: file), context) }
    headers.add(name: "Content-Range", value: "bytes \(start)-\(file.count - 1)/\(file.count)")
    say(.partialContent, headers, ByteBuffer(bytes: file[start...]), context)
  }

  private func say(
    _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    var headers = headers
    headers.add(name: "Content-Length", value: String(body.readableBytes))
    headers.add(name: "Connection", value: "close")
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
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
    return path.flatMap { $0.hasPrefix(root + "/") ? $0 : nil }
  }

  private func bytes(of path: String) -> [UInt8]? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "r") else {
      return nil
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
