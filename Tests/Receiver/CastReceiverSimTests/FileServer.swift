import NIOCore
import NIOPosix

/// A tiny HTTP server for a handful of files in memory, with ranges and one redirect.
enum FileServer {
  static func start(_ files: [String: (type: String, bytes: [UInt8])]) async throws -> (
    port: Int, channel: any Channel
  ) {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Handler(files))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return (channel.localAddress?.port ?? 0, channel)
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let files: [String: (type: String, bytes: [UInt8])]
    private var request = ""

    init(_ files: [String: (type: String, bytes: [UInt8])]) { self.files = files }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      request += String(buffer: unwrapInboundIn(data))
      guard request.contains("\r\n\r\n") else { return }
      let lines = request.split(separator: "\r\n")
      let path = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? ""
      let range = lines.first { $0.lowercased().hasPrefix("range: bytes=") }?.dropFirst(13).prefix {
        $0.isNumber
      }
      request = ""
      var answer = ByteBuffer()
      if path == "/moved" {
        answer.writeString("HTTP/1.1 302 Found\r\nLocation: a.wav\r\nContent-Length: 0\r\n\r\n")
      } else if let file = files[path] {
        let start = min(range.flatMap { Int($0) } ?? 0, file.bytes.count)
        let rest = file.bytes[start...]
        answer.writeString(
          """
          HTTP/1.1 206 Partial Content\r\nContent-Type: \(file.type)\r\nContent-Length: \(rest.count)\r
          Content-Range: bytes \(start)-\(file.bytes.count - 1)/\(file.bytes.count)\r\n\r\n
          """)
        answer.writeBytes(rest)
      } else {
        answer.writeString("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
      }
      context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }
  }
}
