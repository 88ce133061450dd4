import NIOCore
import NIOHTTP1

/// Refuses a request whose line names another host than its `Host` field. What comes behind sees the path of an absolute address alone.
final class RequestTarget: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), !head.uri.hasPrefix("/"), !Self.namesItsHost(head)
    else { return context.fireChannelRead(data) }
    // No path is this; the answer is 400.
    head.uri = "*"
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// Whether the target is an absolute address (RFC 9112, 3.2.2) of the very host that the request is for.
  private static func namesItsHost(_ head: HTTPRequestHead) -> Bool {
    guard let start = head.uri.firstRange(of: "://"),
      ["http", "https"].contains(head.uri[..<start.lowerBound].lowercased())
    else { return false }
    let host = head.uri[start.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return !host.isEmpty && host.lowercased() == head.headers["Host"].first?.lowercased()
  }
}
