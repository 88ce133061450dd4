import CoreMetrics
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Responds to the requests of one connection in order.
final class MediaRequestHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The response in progress.
  private struct Answer {
    var closesAfter: Bool
    /// Nil when there is no valid request.
    var method: HTTPMethod?
    /// The published file; nil when the request is not for one.
    var file: String?
    let began = NIODeadline.now()
    var status: HTTPResponseStatus
    var offset = 0
    var transfer: MediaTransfer?
    /// Bytes of a document that was made for the request.
    var documentBytes = 0
  }

  private let shelf: MediaShelf
  private let ledger: ConnectionLedger
  private let limits: MediaServerLimits
  private let deadlines: ConnectionDeadlines
  private let onServed: @Sendable (MediaServed) -> Void
  private var queue: RequestQueue
  private var answer: Answer?
  private var remote: SocketAddress?
  private var isReadPending = false
  private var isStepping = false

  init(
    shelf: MediaShelf, ledger: ConnectionLedger, limits: MediaServerLimits,
    deadlines: ConnectionDeadlines,
    onServed: @escaping @Sendable (MediaServed) -> Void
  ) {
    self.shelf = shelf
    self.ledger = ledger
    self.limits = limits
    self.deadlines = deadlines
    self.onServed = onServed
    queue = RequestQueue(limits: limits)
  }

  // MARK: Input

  func channelActive(context: ChannelHandlerContext) {
    remote = context.channel.remoteAddress
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    queue.receive(unwrapInboundIn(data))
    step(context)
  }

  /// Reading pauses while a response is in progress.
  func read(context: ChannelHandlerContext) {
    if answer == nil { context.read() } else { isReadPending = true }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed {
      queue.end()
      step(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else {
      // Resets are normal: devices abort connections whenever they seek (protocol 12.4).
      context.close(promise: nil)
      return
    }
    queue.fail(error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest)
    step(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    finishAnswer(isComplete: false)
    context.fireChannelInactive()
  }

  // MARK: Answers

  private func step(_ context: ChannelHandlerContext) {
    // A response may be sent completely within this loop, which must not recurse.
    guard !isStepping else { return }
    isStepping = true
    defer { isStepping = false }
    while answer == nil, context.channel.isActive {
      switch queue.next() {
      case .answer(let head): begin(head, context)
      case .refuse(let status):
        let reply = MediaReply.plain(status, "This request cannot be answered.", head: nil)
        send(reply, Answer(closesAfter: true, status: status), head: nil, file: nil, context)
      case .close:
        context.close(promise: nil)
        return
      case .wait:
        if isReadPending {
          isReadPending = false
          context.read()
        }
        return
      }
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    // After CONNECT or Upgrade the decoder expects another protocol and stops.
    let closes = !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "Upgrade")
    var answer = Answer(closesAfter: closes, method: head.method, status: .ok)
    guard head.version.major == 1, head.version.minor == 0 || head.headers["Host"].count == 1 else {
      answer.closesAfter = true
      let reply = MediaReply.plain(.badRequest, "Not a valid HTTP/1.1 request.", head: head)
      return send(reply, answer, head: head, file: nil, context)
    }
    if head.method == .OPTIONS { return send(.preflight(head), answer, head: head, file: nil, context) }
    guard let token = MediaLink.token(inTarget: head.uri), let published = shelf.published(token: token)
    else {
      return send(.notFound(head), answer, head: head, file: nil, context)
    }
    answer.file = published.source.path ?? published.link.name
    ledger.recordNamedFile(context.channel)
    guard head.method == .GET || head.method == .HEAD else {
      return send(.methodNotAllowed(head), answer, head: head, file: nil, context)
    }
    switch published.source {
    case .file(let path): sendFile(path, published.contentType, answer, head, context)
    case .converted(let path, let conversion):
      let made = NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) {
        Self.convert(path, conversion)
      }
      send(made, published.contentType, answer, head, context)
    case .document(let document):
      let made = context.eventLoop.makeFutureWithTask { await document.make() }
      send(made, published.contentType, answer, head, context)
    case .pieces(let pieces):
      let name = MediaLink.name(inTarget: head.uri)
      let piece = name == published.link.name ? nil : name
      let made = context.eventLoop.makeFutureWithTask { await pieces.make(piece) }
      send(made, piece == nil ? published.contentType : pieces.pieceType, answer, head, context)
    }
  }

  private func sendFile(
    _ path: String, _ contentType: String, _ answer: Answer, _ head: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    do {
      let file = try MediaFile.open(canonicalPath: path)
      let reply = MediaReply.file(
        file.version, contentType: contentType, head: head, now: time(nil), boundary: MediaLink.randomToken())
      send(reply, answer, head: head, file: file, context)
    } catch MediaFileError.noDescriptors {
      send(
        .plain(.serviceUnavailable, "Busy; try again.", head: head), answer, head: head, file: nil, context)
    } catch {
      send(.notFound(head), answer, head: head, file: nil, context)
    }
  }

  /// Reads and converts a file, which may block; nil when either fails.
  private static func convert(_ path: String, _ conversion: MediaConversion) -> [UInt8]? {
    do throws(MediaFileError) {
      let file = try MediaFile.open(canonicalPath: path)
      defer { file.close() }
      guard file.version.size <= conversion.limit else { return nil }
      return conversion.convert(try file.prefix(file.version.size))
    } catch {
      return nil
    }
  }

  /// Sends a document once it is made. Until then this connection answers no other request.
  private func send(
    _ document: EventLoopFuture<[UInt8]?>, _ contentType: String, _ begun: Answer, _ head: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    answer = begun
    deadlines.answering()
    document.assumeIsolated().whenComplete { result in
      // The connection may have closed meanwhile.
      guard context.channel.isActive, self.answer != nil else { return }
      if case .success(let bytes?) = result {
        self.send(
          .document(bytes, contentType: contentType, head: head), begun, head: head, file: nil, context)
      } else {
        self.send(.notFound(head), begun, head: head, file: nil, context)
      }
    }
  }

  /// Takes ownership of the file, if there is one.
  private func send(
    _ reply: MediaReply, _ begun: Answer, head: HTTPRequestHead?, file: MediaFile?,
    _ context: ChannelHandlerContext
  ) {
    var answer = begun
    answer.status = reply.status
    if case .file(let body) = reply.body, let file {
      answer.offset = body.offset
      answer.transfer = MediaTransfer(file: file, body: body, pieceBytes: limits.pieceBytes)
    } else {
      file?.close()
    }
    self.answer = answer
    deadlines.answering()

    var headers = reply.headers
    if let date = HTTPDate.text(secondsSince1970: time(nil)) { headers.add(name: "Date", value: date) }
    if answer.closesAfter {
      headers.add(name: "Connection", value: "close")
    } else if head?.version.minor == 0 {
      headers.add(name: "Connection", value: "keep-alive")
    }
    let response = HTTPResponseHead(version: .http1_1, status: reply.status, headers: headers)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
    if answer.transfer != nil {
      sendPiece(context)
      watchFile(context)
      return
    }
    switch reply.body {
    case .text(let text): write(text, context)
    case .bytes(let bytes):
      self.answer?.documentBytes = bytes.count
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
    case .none, .file: break
    }
    sendEnd(context)
  }

  private func sendEnd(_ context: ChannelHandlerContext) {
    if let ending = answer?.transfer?.body.ending, !ending.isEmpty { write(ending, context) }
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { result in
      guard case .success = result, let answer = self.answer else {
        return self.finishAnswer(isComplete: false)
      }
      self.finishAnswer(isComplete: true)
      self.ledger.recordProgress(context.channel)
      guard !answer.closesAfter else { return context.close(promise: nil) }
      self.deadlines.answered(nextHasBegun: self.queue.hasPartOfNext)
      self.step(context)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
  }

  private func sendPiece(_ context: ChannelHandlerContext) {
    guard let transfer = answer?.transfer else { return }
    guard let piece = transfer.nextPiece() else {
      // What was promised cannot be kept; only closing the connection signals this.
      context.close(promise: nil)
      return
    }
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { result in
      guard case .success = result else {
        self.finishAnswer(isComplete: false)
        return context.close(promise: nil)
      }
      transfer.pieceSent()
      self.ledger.recordProgress(context.channel)
      if transfer.isComplete { return self.sendEnd(context) }
      // Scheduled, so that the other connections of this loop proceed between two pieces.
      context.eventLoop.assumeIsolated().execute { self.sendPiece(context) }
    }
    if let opening = piece.opening {
      context.write(wrapOutboundOut(.body(.byteBuffer(opening))), promise: piece.region == nil ? sent : nil)
    }
    if let region = piece.region { context.write(wrapOutboundOut(.body(.fileRegion(region))), promise: sent) }
    context.flush()
  }

  private func write(_ text: String, _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
  }

  /// A file may change between the check before a piece and its last byte. If it shrinks, NIO would retry for ever.
  private func watchFile(_ context: ChannelHandlerContext) {
    deadlines.checkFile = { [weak self] in
      if self?.answer?.transfer?.isIntact == false { context.close(promise: nil) }
    }
  }

  private func finishAnswer(isComplete: Bool) {
    guard let answer else { return }
    self.answer = nil
    deadlines.checkFile = nil
    answer.transfer?.close()
    let bytes = answer.transfer?.bytesSent ?? (isComplete ? answer.documentBytes : 0)
    Counter(label: "castq_media_requests_total", dimensions: [("code", "\(answer.status.code)")]).increment()
    Counter(label: "castq_media_bytes_total").increment(by: Int64(bytes))
    onServed(
      MediaServed(
        file: answer.file, client: remote?.ipAddress.map(SocketEndpoint.plain),
        method: answer.method?.rawValue, status: Int(answer.status.code),
        offset: answer.offset, bytesSent: bytes,
        isComplete: isComplete, took: .nanoseconds((NIODeadline.now() - answer.began).nanoseconds)))
  }
}
