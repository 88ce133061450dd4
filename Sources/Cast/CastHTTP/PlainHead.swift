import NIOCore

/// Writes the heads of plain servers as the parser wants them, which is stricter than the browsers of receivers: a SHOUTcast 1 server begins with
/// `ICY 200 OK` where HTTP has a version; a line may end with a line feed alone (RFC 9112, 2.2); and the same length may be said twice
/// (RFC 9110, 8.6).
final class PlainHead: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private static let icy = Array("ICY ".utf8)
  private static let starts = [icy, Array("HTTP/".utf8)]
  /// The most bytes of a head; a longer one is the parser's to refuse.
  private static let most = 64 << 10
  /// What came so far, as long as the head is not whole.
  private var begun: [UInt8] = []

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let sought = max(begun.count - 2, 0)
    begun += unwrapInboundIn(data).readableBytesView
    let mayBeHead = Self.starts.contains { $0.starts(with: begun.prefix($0.count)) }
    let end = Self.end(of: begun, from: sought)
    if mayBeHead, end == nil, begun.count < Self.most { return }
    pass(end.map { Self.strict(begun[..<$0]) + begun[$0...] } ?? begun, context)
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if !begun.isEmpty { pass(begun, context) }
    context.fireChannelInactive()
  }

  private func pass(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    begun = []
    context.fireChannelRead(wrapInboundOut(context.channel.allocator.buffer(bytes: bytes)))
  }

  /// Where the body begins: behind the first empty line; nil when none has come.
  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    for index in start..<bytes.count where bytes[index] == feed {
      var next = index + 1
      if next < bytes.count, bytes[next] == carriage { next += 1 }
      if next < bytes.count, bytes[next] == feed { return next + 1 }
    }
    return nil
  }

  private static func strict(_ head: ArraySlice<UInt8>) -> [UInt8] {
    var strict: [UInt8] = []
    var lengths: Set<[UInt8]> = []
    for line in head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      var line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if strict.isEmpty, line.starts(with: icy) {
        strict += Array("HTTP/1.0 ".utf8)
        line = line.dropFirst(icy.count)
      }
      let lowercased = line.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.filter {
        $0 != 0x20 && $0 != 0x09
      }
      if lowercased.starts(with: Array("content-length:".utf8)), !lengths.insert(lowercased).inserted {
        continue
      }
      strict += line
      strict += [0x0D, 0x0A]
    }
    return strict
  }
}
