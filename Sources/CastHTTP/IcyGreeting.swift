import NIOCore

/// Translates the first word of a SHOUTcast 1 server, which begins its answer with `ICY 200 OK` where HTTP has a version. Browsers, and
/// so receivers, take that for HTTP/1.0.
final class IcyGreeting: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private static let word = Array("ICY ".utf8)
  /// What came so far, as long as it may be the word.
  private var begun: ByteBuffer?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if var held = begun.take() {
      held.writeBuffer(&bytes)
      bytes = held
    }
    let start = bytes.readableBytesView.prefix(Self.word.count)
    if start.count < Self.word.count, Self.word.starts(with: start) {
      begun = bytes
      return
    }
    if start.elementsEqual(Self.word) {
      bytes.moveReaderIndex(forwardBy: Self.word.count)
      var greeting = context.channel.allocator.buffer(string: "HTTP/1.0 ")
      greeting.writeBuffer(&bytes)
      bytes = greeting
    }
    context.fireChannelRead(wrapInboundOut(bytes))
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let held = begun.take() { context.fireChannelRead(wrapInboundOut(held)) }
    context.fireChannelInactive()
  }
}
