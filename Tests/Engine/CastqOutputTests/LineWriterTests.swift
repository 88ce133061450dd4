import CastqOutput
import Foundation
import Testing

/// Something that a log is written to, and that blocks who writes to it while nobody reads.
enum DeafReader: String, Sendable, CaseIterable, CustomTestStringConvertible {
  case pipe
  /// As systemd connects services with the journal.
  case stream = "stream of a socket"
  case datagrams = "datagrams of a socket"
  /// Where somebody has typed Ctrl-S.
  case terminal = "stopped terminal"

  var testDescription: String { rawValue }

  /// The two ends; what is written to the second one is read at the first.
  func open() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let isOpen: Bool
    switch self {
    case .pipe:
      isOpen = Glibc.pipe(&ends) == 0
      // F_SETPIPE_SZ
      _ = fcntl(ends[1], 1031, 4096)
    case .stream: isOpen = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0
    case .datagrams: isOpen = socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends) == 0
    case .terminal:
      var (near, far): (Int32, Int32) = (-1, -1)
      isOpen = openpty(&near, &far, nil, nil, nil) == 0
      tcflow(far, TCOOFF)
      ends = [near, far]
    }
    guard isOpen else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return (ends[0], ends[1])
  }

  /// Has it go on.
  func release(_ write: Int32) { if self == .terminal { tcflow(write, TCOON) } }
}

@Suite("A log that nobody reads", .timeLimit(.minutes(20)))
struct LineWriterTests {
  /// Reads until a line is that.
  private func read(_ descriptor: Int32, until last: String) -> [String] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while !String(decoding: bytes, as: UTF8.self).hasSuffix("\(last)\n") {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      // A terminal writes two bytes for the end of a line.
      bytes += chunk[..<count].filter { $0 != UInt8(ascii: "\r") }
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(
    "who writes never waits, and the reader that comes back gets what is left, in order, with the number of lines that are not",
    arguments: DeafReader.allCases)
  func deaf(reader: DeafReader) throws {
    let (input, output) = try reader.open()
    defer {
      close(input)
      close(output)
    }
    let limit = 16 << 10
    let writer = LineWriter(to: output, limit: limit) { "lost \($0)" }
    let text = String(repeating: "x", count: 100)
    // Some megabytes, which neither the buffer nor any of these holds. It would hang here if a line was waited for.
    let count = 50_000
    for number in 1...count { writer.write("\(number) \(text)") }
    #expect(!writer.drain(within: .milliseconds(1)), "nothing reads it")
    writer.write("the end")
    reader.release(output)
    let lines = read(input, until: "the end")
    let numbers = lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "in order")
    let lost = lines.compactMap { $0.wholeMatch(of: /lost (\d+)/).flatMap { Int($0.output.1) } }
    #expect(lost.reduce(0, +) == count - numbers.count, "\(lost)")
    #expect(lost.reduce(0, +) > count / 2, "what waits is bounded")
    let last = numbers.suffix { previous, next in next == previous + 1 }
    #expect(last * text.utf8.count <= limit, "the newest lines are kept")
    #expect(writer.drain())
  }

  @Test("lines of many threads are whole, and those of each in its order")
  func threads() async throws {
    let (input, output) = try DeafReader.pipe.open()
    defer {
      close(input)
      close(output)
    }
    let writer = LineWriter(to: output, limit: 10 << 20) { "lost \($0)" }
    await withTaskGroup { group in
      for writing in 0..<4 {
        group.addTask { for number in 0..<500 { writer.write("\(writing) \(number)") } }
      }
      await group.waitForAll()
    }
    writer.write("the end")
    let lines = read(input, until: "the end").dropLast()
    #expect(lines.count == 2000)
    for writing in 0..<4 {
      #expect(lines.filter { $0.hasPrefix("\(writing) ") } == (0..<500).map { "\(writing) \($0)" })
    }
  }

  @Test("a reader that has gone holds nobody up, and what is said to it is lost")
  func gone() throws {
    signal(SIGPIPE, SIG_IGN)
    let (input, output) = try DeafReader.pipe.open()
    close(input)
    let writer = LineWriter(to: output) { "lost \($0)" }
    for number in 1...1000 { writer.write("\(number)") }
    #expect(writer.drain())
    close(output)
  }
}

extension [Int] {
  /// How many at the end follow each other.
  fileprivate func suffix(where follows: (Int, Int) -> Bool) -> Int {
    var count = isEmpty ? 0 : 1
    for index in indices.dropFirst().reversed() {
      guard follows(self[index - 1], self[index]) else { break }
      count += 1
    }
    return count
  }
}
