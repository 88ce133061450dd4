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
    RangeCase(header: "bytes=0-1,3-4", expected: .whole),
    RangeCase(header: "bytes=0-1,", expected: .whole),
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
