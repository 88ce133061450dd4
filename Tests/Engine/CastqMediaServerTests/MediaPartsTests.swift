import CastqMediaServer
import Glibc
import Testing

/// Several parts of a file in one answer, and files above 4 GiB.
@Suite struct MediaPartsTests {
  private static let size = 6 << 30

  @Test("a range at the end of a sparse file of 6 GiB is sent, and what is beyond its end is refused")
  func sparse() async throws {
    try await MediaFixture.run { media in
      let size = Self.size
      let link = try media.publish("a.mp4", "head", size: size)
      try media.overwrite("a.mp4", "tail", at: size - 4)
      try media.overwrite("a.mp4", "middle", at: (4 << 30) - 3)
      let client = try media.client()
      client.request("HEAD", link.path)
      #expect(try client.response(hasBody: false).headers["content-length"] == "\(size)")
      let table: [(String, String, Range<Int>)] = [
        ("-4", "tail", size - 4..<size), ("\(size - 4)-", "tail", size - 4..<size),
        ("\(size - 2)-\(size + 5)", "il", size - 2..<size), ("0-3", "head", 0..<4),
        ("\((4 << 30) - 3)-\((4 << 30) + 2)", "middle", (4 << 30) - 3..<(4 << 30) + 3),
      ]
      for (range, text, part) in table {
        let answer = try client.get(link.path, ["Range: bytes=\(range)"])
        #expect(answer.status == 206 && answer.text == text)
        #expect(answer.headers["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
      }
      let beyond = try client.get(link.path, ["Range: bytes=\(size)-"])
      #expect(beyond.status == 416 && beyond.headers["content-range"] == "bytes */\(size)")
      let several = try client.get(link.path, ["Range: bytes=-4,0-3,\((4 << 30) - 3)-\(4 << 30)"])
      #expect(
        try Multipart(several).parts.map { String(decoding: $0.bytes, as: UTF8.self) } == [
          "head", "midd", "tail",
        ])
    }
  }

  @Test("parts larger than a piece arrive whole, and what is reported is the bytes of the file")
  func largeParts() async throws {
    var limits = MediaServerLimits()
    limits.pieceBytes = 1000
    try await MediaFixture.run(limits) { media in
      let content = (0..<3000).map { "\($0)\n" }.joined()
      let link = try media.publish("a.mp4", content)
      let client = try media.client()
      let answer = try client.get(link.path, ["Range: bytes=100-4099,5000-5999,7000-7000"])
      let bytes = Array(content.utf8)
      #expect(
        try Multipart(answer).parts.map(\.bytes)
          == [Array(bytes[100..<4100]), Array(bytes[5000..<6000]), [bytes[7000]]])
      let notice = await media.notices(1).first
      #expect(notice?.offset == 100 && notice?.bytesSent == 5001 && notice?.isComplete == true)
      // The connection goes on, and no two answers have the same boundary.
      let again = try client.get(link.path, ["Range: bytes=0-0,2-2"])
      #expect(try Multipart(again).boundary != Multipart(answer).boundary)
    }
  }

  @Test("a reader that leaves, or a file that shrinks, ends an answer with several parts short")
  func shortParts() async throws {
    try await MediaFixture.run { media in
      let link = try media.publish("a.mp4", size: 64 << 20)
      let range = ["Range: bytes=0-9,100-\((48 << 20) - 1),\(50 << 20)-"]
      let leaver = try media.client(receiveBuffer: 4096)
      leaver.request("GET", link.path, range)
      #expect(try leaver.response(hasBody: false).status == 206)
      leaver.close()
      let stayer = try media.client(receiveBuffer: 4096)
      stayer.request("GET", link.path, range)
      #expect(try stayer.response(hasBody: false).status == 206)
      truncate(media.path("a.mp4"), 63 << 20)
      #expect(stayer.drain() < 62 << 20)
      #expect(await media.notices(2).allSatisfy { !$0.isComplete })
      #expect(media.openFiles == 0)
    }
  }
}
