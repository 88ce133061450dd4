package import NIOCore

#if CASTQ_GZIP
  import NIOEmbedded
  import NIOHTTP1
  import NIOHTTPCompression
#endif

/// gzip (RFC 1952), where castq was built with zlib.
///
/// NIO's compressor is a handler of answers, so each body passes through one in a channel of its own. It never meets a peer's bytes,
/// but for what somebody named a thing.
package enum Gzip {
  /// Whether this program can compress.
  package static var isBuiltIn: Bool {
    #if CASTQ_GZIP
      true
    #else
      false
    #endif
  }

  /// Bytes that were compressed.
  /// - Returns: nil where this program cannot compress.
  package static func compressed(_ bytes: ByteBuffer) -> ByteBuffer? {
    #if CASTQ_GZIP
      let channel = EmbeddedChannel(handler: HTTPResponseCompressor())
      defer { _ = try? channel.finish() }
      do {
        let asked = HTTPRequestHead(
          version: .http1_1, method: .GET, uri: "/", headers: ["Accept-Encoding": "gzip"])
        try channel.writeInbound(HTTPServerRequestPart.head(asked))
        // Nothing is flushed before the end, so that there is one piece.
        channel.write(
          HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
          if case .body(.byteBuffer(let compressed)) = part { return compressed }
        }
      } catch {
        // What is sent as it stands arrives, too.
      }
      return nil
    #else
      return nil
    #endif
  }
}
