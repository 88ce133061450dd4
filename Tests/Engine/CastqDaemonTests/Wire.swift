import CastProtocol
import Foundation
import Glibc
import NIOCore
import NIOPosix

/// Hears every message a simulated receiver gets and sends, as it happens: its log is a pipe with us at the other end.
final class Wire: Sendable {
  /// One message.
  struct Line: Sendable {
    /// Whether the receiver got it.
    let isIncoming: Bool
    let type: String
    let body: JSONValue
    /// When, in seconds of the receiver's clock.
    let time: Double

    /// The first media status in it.
    var status: JSONValue? { body["status"]?.array?.first }
  }

  let path: String
  private let lines: AsyncStream<Line>
  private let channel: any Channel

  init() async throws {
    let folder = try Stage.makeFolder()
    path = folder.appending(path: "wire").path
    guard mkfifo(path, 0o600) == 0 else { throw Trouble(errno) }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Trouble(errno) }
    // The receiver must never wait for us (F_SETPIPE_SZ), nor the process end when we listen no more.
    guard fcntl(descriptor, 1031, 1 << 20) > 0 else { throw Trouble(errno) }
    signal(SIGPIPE, SIG_IGN)
    let (lines, heard) = AsyncStream.makeStream(of: Line.self)
    self.lines = lines
    channel = try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Reader(heard))
        }
      }
      .takingOwnershipOfDescriptor(input: descriptor).get()
  }

  deinit {
    channel.close(promise: nil)
    try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
  }

  /// The next message that fits, from where the last search ended; nil when the receiver is gone.
  func next(where fits: (Line) -> Bool) async -> Line? {
    for await line in lines where fits(line) { return line }
    return nil
  }

  /// The next message of a type that reaches the receiver.
  func received(_ type: String) async -> JSONValue? {
    await next { $0.isIncoming && $0.type == type }?.body
  }

  /// The STOP that reaches the receiver before the sender hangs up; the hanging up when none does.
  func lastWord() async -> JSONValue? {
    await next { $0.isIncoming && ["STOP", "CLOSE"].contains($0.type) }?.body
  }

  struct Trouble: Error {
    let number: Int32
    init(_ number: Int32) { self.number = number }
  }

  private final class Reader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let heard: AsyncStream<Line>.Continuation
    private var rest: [UInt8] = []

    init(_ heard: AsyncStream<Line>.Continuation) { self.heard = heard }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      rest += Array(buffer: unwrapInboundIn(data))
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let text = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        guard let line = try? JSONValue(parsing: text), let body = line["data"] else { continue }
        heard.yield(
          Line(
            isIncoming: line["dir"]?.string == "in", type: body["type"]?.string ?? "", body: body,
            time: line["t"]?.double ?? 0))
      }
    }

    func channelInactive(context: ChannelHandlerContext) { heard.finish() }
  }
}
