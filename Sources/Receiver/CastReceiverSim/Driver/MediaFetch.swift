import NIOCore
import NIOHTTP1
import NIOPosix

/// One download of the simulated device: requests a medium over HTTP, reads just enough to determine its duration, and closes the
/// connection (protocol 12.4).
///
/// Confined to one event loop.
final class MediaFetch {
  private static let redirectLimit = 5
  private static let seekLimit = 16
  private static let connectTimeout = TimeAmount.seconds(3)
  /// Least time until a failure is reported, so that a queue of broken items does not spin.
  private static let quickestFailure = TimeAmount.milliseconds(20)

  private let loop: any EventLoop
  private let completion: (FetchResult) -> Void
  private let started = NIODeadline.now()
  private var probe: DurationProbe?
  private var redirects = 0
  private var seeks = 0
  /// Number of the current request; connections of earlier ones are ignored.
  private var attempt = 0
  private var channel: (any Channel)?
  private var isOver = false
  private let audioOnly: Bool
  /// Time without data after which a server times out; nil for never.
  private let patience: TimeAmount?
  /// Whether the whole of a short document is wanted, and not only its type.
  private let wantsDocument: Bool
  private var document: [UInt8] = []
  private let refusesJunk: Bool

  /// Calls `completion` once on the loop, unless cancelled.
  init(
    loop: any EventLoop, audioOnly: Bool, patience: TimeAmount? = nil, wantsDocument: Bool = false,
    refusesJunk: Bool = false, completion: @escaping (FetchResult) -> Void
  ) {
    self.loop = loop
    self.audioOnly = audioOnly
    self.patience = patience
    self.wantsDocument = wantsDocument
    self.refusesJunk = refusesJunk
    self.completion = completion
  }

  func start(url text: String) {
    guard let url = MediaURL(text) else { return finish(.failed(.unreachable)) }
    request(url, from: 0)
  }

  func cancel() {
    isOver = true
    hangUp()
  }

  /// Closes the connection; its remaining events, the end included, are ignored.
  private func hangUp() {
    attempt += 1
    channel?.close(promise: nil)
    channel = nil
  }

  private func finish(_ result: FetchResult) {
    guard !isOver else { return }
    isOver = true
    hangUp()
    guard case .failed = result else { return completion(result) }
    let completion = NIOLoopBound(completion, eventLoop: loop)
    loop.scheduleTask(deadline: max(.now(), started + Self.quickestFailure)) { completion.value(result) }
  }

  private func request(_ url: MediaURL, from offset: Int) {
    // The device trusts public certificates only, and the simulator has none to check against.
    guard !url.isSecure else { return finish(.failed(.unreachable)) }
    let attempt = attempt
    let fetch = NIOLoopBound(self, eventLoop: loop)
    let head = requestHead(url, from: offset)
    ClientBootstrap(group: loop)
      .connectTimeout(Self.connectTimeout)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let patience = fetch.value.patience {
            try pipeline.addHandler(IdleStateHandler(readTimeout: patience))
          }
          try pipeline.addHTTPClientHandlers()
          try pipeline.addHandler(
            FetchHandler(fetch: fetch.value, attempt: attempt, url: url, offset: offset))
        }
      }
      .connect(host: url.host, port: url.port)
      .hop(to: loop)
      .whenComplete { result in fetch.value.connected(result, head: head) }
  }

  private func connected(_ result: Result<any Channel, any Error>, head: HTTPRequestHead) {
    switch result {
    case .failure: finish(.failed(.unreachable))
    case .success(let channel):
      guard !isOver else { return channel.close(promise: nil) }
      self.channel = channel
      channel.write(HTTPClientRequestPart.head(head), promise: nil)
      channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }
  }

  private func requestHead(_ url: MediaURL, from offset: Int) -> HTTPRequestHead {
    let headers: HTTPHeaders = [
      "Host": url.authority, "Range": "bytes=\(offset)-", "Accept": "*/*",
      "Accept-Encoding": "identity;q=1, *;q=0",
      "User-Agent": "Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 CrKey/1.56.500000",
      "CAST-DEVICE-CAPABILITIES":
        #"{"bluetooth_supported":false,"display_supported":\#(!audioOnly),"hi_res_audio_supported":false}"#,
    ]
    return HTTPRequestHead(version: .http1_1, method: .GET, uri: url.target, headers: headers)
  }

  // MARK: response

  fileprivate func isCurrent(_ attempt: Int) -> Bool { !isOver && attempt == self.attempt }

  fileprivate func received(head: HTTPResponseHead, url: MediaURL, offset: Int) {
    let code = Int(head.status.code)
    if [301, 302, 303, 307, 308].contains(code) {
      guard redirects < Self.redirectLimit else { return finish(.failed(.tooManyRedirects)) }
      guard let next = head.headers.first(name: "Location").flatMap({ url.redirected(to: $0) }) else {
        return finish(.failed(.unreachable))
      }
      redirects += 1
      hangUp()
      return request(next, from: offset)
    }
    guard code == 200 || code == 206 else { return finish(.failed(.status(code))) }
    // Without range support the end of the file cannot be read: the duration stays unknown.
    if offset > 0, code != 206 { return finish(endOfProbe()) }
    guard probe == nil else { return }
    let type = head.headers.first(name: "Content-Type").flatMap { MediaFormats.plain($0) }
    probe = DurationProbe(contentType: type, length: Self.length(head), refusesJunk: refusesJunk)
  }

  fileprivate func received(body: ByteBuffer, url: MediaURL) {
    if wantsDocument {
      guard document.count + body.readableBytes <= VASTDocument.limit else {
        return finish(.failed(.unsupported))
      }
      document += Array(buffer: body)
      return
    }
    switch probe?.append(body.readableBytesView) {
    case .done(let facts): finish(.loaded(facts))
    case .unsupported: finish(.failed(.unsupported))
    case .seek(let offset):
      seeks += 1
      guard seeks <= Self.seekLimit else { return finish(endOfProbe()) }
      probe?.restart(at: offset)
      hangUp()
      request(url, from: offset)
    case .needsMore, nil: break
    }
  }

  /// The response is complete, or the connection is closed.
  fileprivate func ended() {
    if wantsDocument, probe != nil {
      return finish(.loaded(MediaFacts(text: String(decoding: document, as: UTF8.self))))
    }
    finish(probe == nil ? .failed(.unreachable) : endOfProbe())
  }

  fileprivate func timedOut() {
    finish(.failed(.timedOut))
  }

  private func endOfProbe() -> FetchResult { probe?.end().map { .loaded($0) } ?? .failed(.unsupported) }

  /// Length of the whole file, from Content-Range or Content-Length.
  private static func length(_ head: HTTPResponseHead) -> Int? {
    if head.status == .partialContent {
      return head.headers.first(name: "Content-Range")?.split(separator: "/").last.flatMap { Int($0) }
    }
    return head.headers.first(name: "Content-Length").flatMap { Int($0) }
  }
}

/// Passes the parts of one response to the fetch that requested it, unless that has sent another request since.
private final class FetchHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let fetch: MediaFetch
  private let attempt: Int
  private let url: MediaURL
  private let offset: Int

  init(fetch: MediaFetch, attempt: Int, url: MediaURL, offset: Int) {
    self.fetch = fetch
    self.attempt = attempt
    self.url = url
    self.offset = offset
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard fetch.isCurrent(attempt) else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): fetch.received(head: head, url: url, offset: offset)
    case .body(let body): fetch.received(body: body, url: url)
    case .end: fetch.ended()
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent {
      if fetch.isCurrent(attempt) { fetch.timedOut() }
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if fetch.isCurrent(attempt) { fetch.ended() }
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
