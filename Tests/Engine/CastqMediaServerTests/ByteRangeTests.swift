import CastProtocol
import CastqMediaServer
import Testing

/// What a Range header means for a file of ten bytes; used here and over a socket.
struct RangeCase: Sendable, CustomTestStringConvertible {
  var header: String
  var expected: ByteRange
  var testDescription: String { header }

  static let size = 10
  static let all: [RangeCase] = [
    RangeCase(header: "bytes=0-0", expected: .part(0..<1)),
    RangeCase(header: "bytes=0-", expected: .part(0..<10)),
    RangeCase(header: "bytes=2-5", expected: .part(2..<6)),
    RangeCase(header: "bytes=9-", expected: .part(9..<10)),
    RangeCase(header: "bytes=9-9", expected: .part(9..<10)),
    RangeCase(header: "bytes=5-500", expected: .part(5..<10)),
    RangeCase(header: "bytes=0-99999999999999999999", expected: .part(0..<10)),
    RangeCase(header: "bytes=0-9223372036854775807", expected: .part(0..<10)),
    RangeCase(header: "bytes=-1", expected: .part(9..<10)),
    RangeCase(header: "bytes=-100", expected: .part(0..<10)),
    RangeCase(header: "bytes=-99999999999999999999", expected: .part(0..<10)),
    RangeCase(header: "BYTES=2-5", expected: .part(2..<6)),
    RangeCase(header: "bytes=002-0005", expected: .part(2..<6)),
    RangeCase(header: "bytes= 2-5", expected: .part(2..<6)),
    RangeCase(header: "bytes=2-5 \t", expected: .part(2..<6)),
    RangeCase(header: "bytes=10-", expected: .unsatisfiable),
    RangeCase(header: "bytes=10-20", expected: .unsatisfiable),
    RangeCase(header: "bytes=-0", expected: .unsatisfiable),
    RangeCase(header: "bytes=99999999999999999999-", expected: .unsatisfiable),
    RangeCase(header: "bytes=9223372036854775807-", expected: .unsatisfiable),
    RangeCase(header: "bytes=9223372036854775807-9223372036854775807", expected: .unsatisfiable),
    RangeCase(header: "bytes=5-2", expected: .whole),
    RangeCase(header: "bytes=99999999999999999999-5", expected: .whole),
    RangeCase(header: "bytes=0-1,", expected: .part(0..<2)),
    RangeCase(header: "bytes= ,, 0-1 ,\t,", expected: .part(0..<2)),
    RangeCase(header: "bytes=0-1,3-4", expected: .parts([0..<2, 3..<5])),
    RangeCase(header: "bytes=0-1 , \t3-4", expected: .parts([0..<2, 3..<5])),
    RangeCase(header: "bytes=8-,-1,0-0", expected: .parts([0..<1, 8..<10])),
    RangeCase(header: "bytes=7-7,3-3,5-5,3-3", expected: .parts([3..<4, 5..<6, 7..<8])),
    RangeCase(header: "bytes=0-4,2-6", expected: .part(0..<7)),
    RangeCase(header: "bytes=5-9,0-4", expected: .part(0..<10)),
    RangeCase(header: "bytes=0-,0-,0-,-10", expected: .part(0..<10)),
    RangeCase(header: "bytes=0-1,10-20", expected: .part(0..<2)),
    RangeCase(header: "bytes=10-20,99999999999999999999-,-0", expected: .unsatisfiable),
    RangeCase(header: "bytes=0-1,5-2", expected: .whole),
    RangeCase(header: "bytes=0-1,x", expected: .whole),
    RangeCase(header: "bytes=0-1;3-4", expected: .whole),
    RangeCase(header: "bytes=,", expected: .whole),
    RangeCase(
      header: "bytes=" + Array(repeating: "0-0", count: ByteRange.limit).joined(separator: ","),
      expected: .part(0..<1)),
    RangeCase(
      header: "bytes=" + Array(repeating: "0-0", count: ByteRange.limit + 1).joined(separator: ","),
      expected: .whole),
    RangeCase(header: "bytes=2 - 5", expected: .whole),
    RangeCase(header: "bytes=-", expected: .whole),
    RangeCase(header: "bytes=--1", expected: .whole),
    RangeCase(header: "bytes=+1-2", expected: .whole),
    RangeCase(header: "bytes=0x1-2", expected: .whole),
    RangeCase(header: "bytes=a-b", expected: .whole),
    RangeCase(header: "bytes=1", expected: .whole),
    RangeCase(header: "bytes=", expected: .whole),
    RangeCase(header: "bytes", expected: .whole),
    RangeCase(header: "bytes 0-5", expected: .whole),
    RangeCase(header: "items=0-5", expected: .whole),
    RangeCase(header: "=0-5", expected: .whole),
    RangeCase(header: "bytes=\u{0661}-\u{0662}", expected: .whole),
  ]
}

@Suite struct ByteRangeTests {
  @Test("a Range header means what RFC 9110 says, and nothing when it is malformed", arguments: RangeCase.all)
  func meaning(_ range: RangeCase) {
    #expect(ByteRange(header: range.header, size: RangeCase.size) == range.expected)
  }

  @Test("parts never overlap, never touch and never leave the file, whatever is asked for")
  func anyParts() {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<2000 {
      let size = Int.random(in: 0...60, using: &generator)
      let wanted = (0..<Int.random(in: 1...ByteRange.limit, using: &generator)).map { _ in
        let first = Int.random(in: 0...70, using: &generator)
        return first...(first + Int.random(in: 0...9, using: &generator))
      }
      let header = "bytes=" + wanted.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
      var parts: [Range<Int>] = []
      switch ByteRange(header: header, size: size) {
      case .part(let part): parts = [part]
      case .parts(let several):
        parts = several
        #expect(several.count > 1)
      case .unsatisfiable: break
      case .whole: Issue.record("\(header) is well-formed")
      }
      #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "\(header)")
      #expect(Set(parts.joined()) == Set(wanted.joined()).intersection(0..<size), "\(header) of \(size)")
    }
  }

  @Test(
    "no byte of an empty file is in any range", arguments: ["bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0"])
  func emptyFile(_ header: String) {
    #expect(ByteRange(header: header, size: 0) == .unsatisfiable)
    #expect(ByteRange(header: nil, size: 0) == .whole)
  }

  @Test("the end of the largest possible file does not overflow")
  func largestFile() {
    #expect(ByteRange(header: "bytes=-1", size: Int.max) == .part(Int.max - 1..<Int.max))
    #expect(ByteRange(header: "bytes=1-", size: Int.max) == .part(1..<Int.max))
  }

  @Test(
    "dates are written as HTTP wants them",
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (Int.max, nil), (Int.min, nil), (400_000_000_000, nil),
    ] as [(Int, String?)])
  func date(_ seconds: Int, text: String?) {
    #expect(HTTPDate.text(secondsSince1970: seconds) == text)
  }
}
