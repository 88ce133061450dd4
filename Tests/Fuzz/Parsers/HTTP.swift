import CastqPlaylists
import NIOCore
import NIOEmbedded
import NIOHTTP1
@testable import CastHTTP
@testable import CastqMediaServer

extension Parser {
  /// As requests to the media server, as an answer to a fetch, and as the values of the headers that matter.
  func parseHTTP(_ bytes: [UInt8]) {
    serve(bytes)
    collect(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    var parts: [Range<Int>] = []
    switch ByteRange(header: text, size: 1000) {
    case .part(let part): parts = [part]
    case .parts(let several): parts = several
    case .whole, .unsatisfiable: break
    }
    precondition(parts.count <= ByteRange.limit, "few parts")
    for part in parts {
      precondition(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= 1000, "a part of the file")
    }
    guard let address = try? HTTPAddress(text) else { return }
    _ = try? address.resolving(text)
    _ = try? address.resolving("../\(text)")
  }

  private func serve(_ bytes: [UInt8]) {
    let limits = MediaServerLimits()
    let loop = EmbeddedEventLoop()
    let deadlines = ConnectionDeadlines(limits, rounds: ConnectionRounds(of: loop, limits))
    let handler = MediaRequestHandler(
      shelf: MediaShelf(capacity: 4), ledger: ConnectionLedger(limits: limits), limits: limits,
      deadlines: deadlines, onServed: { _ in })
    feed(
      bytes, to: [deadlines, HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), handler],
      loop: loop)
  }

  private func collect(_ bytes: [UInt8]) {
    // What an answer is: its first bytes, its type, and the name that it states.
    let text = String(decoding: bytes, as: UTF8.self)
    _ = WebAnswer(contentType: text, fileName: StatedFileName.name(in: text), head: bytes).kind
    guard let address = try? HTTPAddress("http://192.0.2.1/") else { return }
    let loop = EmbeddedEventLoop()
    let reply = loop.makePromise(of: HTTPReply.self)
    let collector = ReplyCollector(
      reply: reply, byteLimit: 4096, beginning: nil, isSecure: false, connectDeadline: .distantFuture,
      deadline: .distantFuture,
      words: HTTPErrorWords(address: address, timeout: .seconds(1)))
    feed(
      bytes,
      to: [
        FramingGuard(allowance: collector.allowance, words: collector.words), HTTPRequestEncoder(),
        ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes)), collector,
      ], loop: loop)
  }

  private func feed(
    _ bytes: [UInt8], to handlers: [any ChannelHandler], loop: EmbeddedEventLoop = EmbeddedEventLoop()
  ) {
    let channel = EmbeddedChannel(handlers: handlers, loop: loop)
    guard let peer = try? SocketAddress(ipAddress: "192.0.2.1", port: 80) else { return }
    channel.connect(to: peer, promise: nil)
    let cut = bytes.count / 2
    for piece in [bytes[..<cut], bytes[cut...]] { _ = try? channel.writeInbound(ByteBuffer(bytes: piece)) }
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }
}
