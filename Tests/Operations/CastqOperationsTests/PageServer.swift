import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A web server in this process. It has pages; it ends with the object.
///
/// Besides the pages it has `/moved/X`, which redirects to `/X`, `/loop/X`, which redirects to itself, and `/never/X`, which never answers. A page with an entity tag is not sent to whoever has it.
final class PageServer: Sendable {
  struct Page: Sendable {
    var text: String
    var head: [String: String] = ["Content-Type": "text/plain"]
  }

  /// `http://127.0.0.1:PORT`.
  let address: String
  private let channel: any Channel
  private let site: Site

  /// What is there, and what was answered.
  fileprivate final class Site: Sendable {
    let pages: Mutex<[String: Page]>
    /// The status and the credentials of each request.
    let answers = Mutex<[String]>([])

    init(_ pages: [String: Page]) { self.pages = Mutex(pages) }
  }

  init(_ pages: [String: Page]) async throws {
    let site = Site(pages)
    self.site = site
    channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(Answering(site))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    address = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"
  }

  convenience init(_ texts: [String: String]) async throws {
    try await self.init(texts.mapValues { Page(text: $0) })
  }

  deinit { channel.close(promise: nil) }

  func set(_ name: String, _ page: Page) { site.pages.withLock { $0[name] = page } }

  /// What was answered since the last look: `STATUS CREDENTIALS`.
  func answers() -> [String] {
    site.answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
  }
}

private final class Answering: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: PageServer.Site

  init(_ site: PageServer.Site) { self.site = site }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    let path = head.uri.prefix { $0 != "?" }.dropFirst()
    if path.hasPrefix("never/") { return }
    if path.hasPrefix("loop/") { return answer(context, .found, ["Location": "/\(path)"], "", head) }
    if path.hasPrefix("moved/") {
      return answer(context, .found, ["Location": "/\(path.dropFirst(6))"], "", head)
    }
    guard let page = site.pages.withLock({ $0[String(path)] }) else {
      return answer(context, .notFound, [:], "", head)
    }
    let isKnown = page.head["ETag"].map { head.headers["If-None-Match"].contains($0) } ?? false
    answer(context, isKnown ? .notModified : .ok, page.head, isKnown ? "" : page.text, head)
  }

  private func answer(
    _ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ fields: [String: String],
    _ text: String,
    _ request: HTTPRequestHead
  ) {
    site.answers.withLock {
      $0.append("\(status.code) \(request.headers.first(name: "Authorization") ?? "-")")
    }
    var headers = HTTPHeaders(fields.map { ($0.key, $0.value) })
    headers.add(name: "Content-Length", value: "\(text.utf8.count)")
    headers.add(name: "Connection", value: "close")
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
      promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      bound.value.close(promise: nil)
    }
  }
}
