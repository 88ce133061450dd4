import CastqOutput
import Testing

@Suite("Lines that wait to be written")
struct LineBacklogTests {
  private func words(_ backlog: inout LineBacklog) -> [String] {
    var words: [String] = []
    while let bytes = backlog.next(reporting: { Array("\($0) lost".utf8) }) {
      words.append(String(decoding: bytes, as: UTF8.self))
    }
    return words
  }

  @Test("what fits is written in its order")
  func order() {
    var backlog = LineBacklog(limit: 100)
    for number in 1...9 { backlog.append(Array("line \(number)".utf8)) }
    #expect(words(&backlog) == (1...9).map { "line \($0)" })
    #expect(backlog.isEmpty)
  }

  @Test("beyond the limit the oldest lines go, and their number stands in their place, once")
  func limit() {
    var backlog = LineBacklog(limit: 18)
    for number in 1...9 { backlog.append(Array("line \(number)".utf8)) }
    #expect(words(&backlog) == ["6 lost", "line 7", "line 8", "line 9"])
    backlog.append(Array("line 10".utf8))
    #expect(words(&backlog) == ["line 10"])
  }

  @Test("a line that is longer than the limit is written, and lines before it go")
  func longLine() {
    var backlog = LineBacklog(limit: 10)
    backlog.append(Array("short".utf8))
    backlog.append(Array("longer than the limit".utf8))
    #expect(words(&backlog) == ["1 lost", "longer than the limit"])
  }

  @Test("of several pictures of a line of progress only the last is drawn, and none is counted as lost")
  func progress() {
    var backlog = LineBacklog(limit: 12)
    for second in 1...99 { backlog.append(progress: Array("at \(second)".utf8)) }
    backlog.append(Array("a line".utf8))
    #expect(words(&backlog) == ["at 99", "a line"])
    backlog.append(progress: Array("at 100".utf8))
    backlog.append(Array("a long line".utf8))
    #expect(words(&backlog) == ["a long line"])
  }

  @Test("thousands of lines leave in the order in which they came")
  func many() {
    var backlog = LineBacklog(limit: 1 << 20)
    var taken: [String] = []
    for number in 0..<5000 {
      backlog.append(Array("\(number)".utf8))
      guard number % 3 == 0, let bytes = backlog.next(reporting: { _ in [] }) else { continue }
      taken.append(String(decoding: bytes, as: UTF8.self))
    }
    taken += words(&backlog)
    #expect(taken == (0..<5000).map { "\($0)" })
  }
}
