import Glibc
import Synchronization
import Testing

@testable import CastqDaemon

@Suite("How long a box may feed", .timeLimit(.minutes(20)))
struct LeaseWatchTests {
  /// Two ends of a lease; the second one is the program's.
  private func pair() throws -> (writer: Int32, reader: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  private func write(_ text: String, to end: Int32) { _ = send(end, text, text.utf8.count, 0) }

  @Test("a lease says a moment, or that there is none; nothing else is one")
  func lines() {
    for line in [LeaseLine.until(milliseconds: 0), .until(milliseconds: 12_345), .ever] {
      #expect(LeaseLine(line.text) == line)
    }
    for text in [
      "", "until", "until -1", "until  1", "until ever 2", "UNTIL 1", "until 99999999999999999999",
      "until 1\n",
    ] {
      #expect(LeaseLine(text) == nil, "\(text)")
    }
    #expect(
      !LeaseLine.until(milliseconds: 10).isOver(at: 9) && LeaseLine.until(milliseconds: 10).isOver(at: 10))
    #expect(!LeaseLine.ever.isOver(at: .max))
  }

  @Test("it ends when it is not renewed, and what was written last counts")
  func expiry() async throws {
    let (writer, reader) = try pair()
    let now = LeaseLine.now()
    write(LeaseLine.ever.text, to: writer)
    write("nonsense", to: writer)
    write(LeaseLine.until(milliseconds: now + 300).text, to: writer)
    let watch = try #require(LeaseWatch(descriptor: reader))
    #expect(await watch.end() == .expired)
    #expect(LeaseLine.now() >= now + 300)
    close(writer)
  }

  @Test("it ends at once when nobody is there any more to renew it")
  func abandoned() async throws {
    let (writer, reader) = try pair()
    write(LeaseLine.ever.text, to: writer)
    let watch = try #require(LeaseWatch(descriptor: reader))
    async let end = watch.end()
    close(writer)
    #expect(await end == .abandoned)
    #expect(watch.term.isOver)
  }

  @Test("who is cancelled waits no more for the end of a lease that goes on", .timeLimit(.minutes(5)))
  func cancelled() async throws {
    let (writer, reader) = try pair()
    write(LeaseLine.ever.text, to: writer)
    let watch = try #require(LeaseWatch(descriptor: reader))
    let waiting = Task { await watch.endUnlessCancelled() }
    waiting.cancel()
    #expect(await waiting.value == nil)
    close(writer)
  }

  @Test("who is not cancelled hears of the end of a lease")
  func uncancelled() async throws {
    let (writer, reader) = try pair()
    write(LeaseLine.ever.text, to: writer)
    let watch = try #require(LeaseWatch(descriptor: reader))
    async let end = watch.endUnlessCancelled()
    close(writer)
    #expect(await end == .abandoned)
  }

  @Test("one that was never given, and one that is over when it is read, have ended")
  func late() async throws {
    for text in [nil, "until 1"] {
      let (writer, reader) = try pair()
      if let text { write(text, to: writer) }
      let watch = try #require(LeaseWatch(descriptor: reader))
      #expect(await watch.end() == .expired)
      close(writer)
    }
  }

  @Test("nothing may be sent from the moment at which a lease is over, before anybody has handled its end")
  func term() throws {
    let now = Mutex<Int64>(100)
    let term = LeaseTerm(.until(milliseconds: 110)) { now.withLock { $0 } }
    #expect(!term.isOver)
    now.withLock { $0 = 110 }
    #expect(term.isOver)
    term.follow(.until(milliseconds: 111))
    #expect(!term.isOver)
    term.follow(.ever)
    now.withLock { $0 = .max - 1 }
    #expect(!term.isOver)
    let (writer, reader) = try pair()
    write(LeaseLine.ever.text, to: writer)
    let watch = try #require(LeaseWatch(descriptor: reader))
    #expect(!watch.term.isOver, "what was written before the program began holds at once")
    #expect(try #require(LeaseWatch(descriptor: pair().reader)).term.isOver)
    close(writer)
  }

  @Test("what is no socket is no lease")
  func strangers() throws {
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(LeaseWatch(descriptor: file) == nil)
    #expect(LeaseWatch(descriptor: 1) == nil)
    #expect(LeaseWatch(descriptor: 999_999) == nil)
  }
}
