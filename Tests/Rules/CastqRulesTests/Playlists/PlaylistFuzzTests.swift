import CastProtocol
import CastqPlaylists
import CastqText
import Testing

@Suite struct PlaylistFuzzTests {
  /// Pieces that have a meaning somewhere in the syntax.
  private static let tokens = [
    "\"", "\\", ",", ":", "=", "#", "%", "%2", "%00", "/", "//", "..", "\n", "\r", "\r\n", "\u{0}",
    "\u{1B}[31m", "\u{202E}",
    "\u{301}", "#CASTQ:", "#CASTQ-QUEUE:", "#EXTINF:", "http://", "file://", "C:\\", "tracks=", "end=", "-1",
    "99999999999999999999",
    "é", "\u{FEFF}", " ", "\t", "[", "]", "@", "?", "+", "nan",
  ].map { Array($0.utf8) }

  private func mutate(_ bytes: [UInt8], with random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes.replaceSubrange(place..<end, with: [])
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      case 2: bytes.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: place)
      case 3:
        bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
      case 4: bytes.removeLast(min(bytes.count, Int.random(in: 0...20, using: &random)))
      default: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      }
    }
    return bytes
  }

  /// The length of each line in scalars, by the rules of the encoding that was used for it.
  private func lineLengths(_ bytes: [UInt8]) -> [Int] {
    var body = bytes[...]
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { body = body.dropFirst(3) }
    var lines: [ArraySlice<UInt8>] = []
    var start = body.startIndex
    var index = start
    while index < body.endIndex {
      let byte = body[index]
      index += 1
      guard byte == 0x0A || byte == 0x0D else { continue }
      lines.append(body[start..<index - 1])
      if byte == 0x0D, index < body.endIndex, body[index] == 0x0A { index += 1 }
      start = index
    }
    lines.append(body[start...])
    return lines.map { line in String(validating: line, as: UTF8.self)?.unicodeScalars.count ?? line.count }
  }

  @Test(
    "no damage to a playlist traps, and every issue points into the file", arguments: SamplePlaylists.names)
  func mutations(name: String) {
    var random = SeededGenerator(seed: UInt64(name.utf8.count))
    let path = "/media/" + name
    let original = SamplePlaylists.loader.files[path] ?? []
    #expect(!original.isEmpty)
    for round in 0..<scheduleRuns(50, 150) {
      var loader = SamplePlaylists.loader
      let bytes = mutate(original, with: &random)
      loader.files[path] = bytes
      loader.web["http://h/tv.m3u"]?.bytes = bytes
      let lengths = lineLengths(bytes)
      for source in [name, "http://h/tv.m3u"] {
        let parsed = loader.read(source)
        for issue in parsed.issues {
          let length = issue.file == source && issue.line <= lengths.count ? lengths[issue.line - 1] : Int.max
          let isInside = issue.line >= 1 && issue.column >= 1 && issue.column <= max(1, length)
          let isSafe = issue.description == TerminalText.sanitized(issue.description)
          let isShort = issue.description.unicodeScalars.count < 1000
          if !isInside || !isSafe || !isShort || (issue.file == source && issue.line > lengths.count) {
            Issue.record("round \(round) of \(source): \(issue)")
          }
        }
        #expect(parsed.issues.count <= 4 * lengths.count + 100)
        for draft in parsed.playlist.drafts {
          #expect(draft.media.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
          #expect(source == name || !draft.media.url.hasPrefix("file:"))
          #expect((draft.playbackDuration ?? 1) > 0 && (draft.startTime ?? 0) >= 0)
        }
      }
    }
  }

  @Test("every good line of a corrupted file becomes its entry, in order", arguments: 0..<40)
  func goodLinesSurvive(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let bad =
      [
        "gone.mp4", "rtsp://x/1", "C:\\x.mp3", "http://", "#EXTINF:x y=\"", "#CASTQ: foo=1 rate=9 \"",
        "#CASTQ-QUEUE: a", "\u{1B}\u{0}.mp4",
        "#EXTINF:-1 tvg-name=\"open", String(repeating: "x", count: 70_000), "#CASTQ: tracks=::::", "%zz",
        "\t\t", "self.m3u8",
      ].map { Array($0.utf8) } + [[0xFF, 0xFE, 0x61], [0x23, 0xFF]]
    var loader = MemoryLoader()
    var bytes: [UInt8] = []
    var expected: [String] = []
    for number in 0..<30 {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        bytes +=
          (bad.randomElement(using: &random) ?? [])
          + [[0x0A], [0x0D], [0x0D, 0x0A]][Int.random(in: 0..<3, using: &random)]
      }
      loader.add("\(number).mp4", "")
      expected.append("file:///media/\(number).mp4")
      bytes += Array("\(number).mp4\n".utf8)
    }
    loader.files["/media/self.m3u8"] = bytes
    #expect(loader.read("self.m3u8").urls == expected)
  }

  @Test("random bytes are no playlist, and no trap either", arguments: 0..<scheduleRuns(3, 40))
  func noise(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) &+ 1000)
    var loader = MemoryLoader()
    loader.standardInput = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for format in [nil] + PlaylistFormat.allCases.map(Optional.some) {
      let parsed = loader.read("-", format: format)
      #expect(!parsed.issues.isEmpty && parsed.issues.count <= 1001)
    }
  }

  @Test("every way to write text is safe to read with hostile input", arguments: 0..<20)
  func texts(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) &+ 2000)
    let samples = [
      "1m30s", "01:30", "2026-11-20T09:00:00.5+01:00", "tomorrow 09:00", "+2h", "0.55",
      "http://u@[::1]:80/a?b#c",
    ]
    for _ in 0..<200 {
      let bytes = mutate(Array((samples.randomElement(using: &random) ?? "").utf8), with: &random)
      let text = String(decoding: bytes, as: UTF8.self)
      if let seconds = try? DurationText.seconds(text) { #expect(seconds >= 0 && seconds < 1e16) }
      if case .level(let level)? = try? VolumeText(text) { #expect((0...1).contains(level)) }
      if let time = try? TimeText(text) {
        for sense in [TimeText.Sense.next, .last] {
          let moment = time.resolved(now: WallTime(milliseconds: 0), sense: sense) { _ in 0 }
          #expect(moment.milliseconds > Int64.min)
        }
      }
      if let address = try? WebAddress(text) { #expect((try? WebAddress(address.text)) == address) }
      #expect(TerminalText.sanitized(TerminalText.sanitized(text)) == TerminalText.sanitized(text))
      #expect(!["=", "+", "-", "@"].contains(CSVField.text(text).unicodeScalars.first))
    }
  }

  @Test(
    "one line cannot cost more than its length", .timeLimit(.minutes(5)),
    arguments: [
      ("#EXTINF:1 ", "tvg-logo=x "), ("#EXTINF:1 ", "a=\"b\" "), ("#EXTINF:1,", "\u{1B}]"),
      ("#EXTINF:1 ", "a=\"b"), ("#EXTINF:1 ", "a='b "), ("#EXTINF:1 a=\"", "\" b"), ("http://h/", "|a"),
      ("#CASTQ: ", "strat=1 "), ("#CASTQ: ", "rate=1 "), ("#CASTQ: tracks=", "a:b,"),
      ("#CASTQ: title=\"", "\\\""),
      ("#", "CASTQ"), ("", "../"), ("", "%20"), ("http://h/", "a/../"), ("http://", "@:"), ("", "a:"),
    ])
  func longLines(start: String, piece: String) {
    let line = start + String(repeating: piece, count: (60_000 - start.utf8.count) / piece.utf8.count)
    let parsed = MemoryLoader(
      ["list.m3u": String(repeating: line + "\n", count: 2) + "a.mp4\n"], media: ["a.mp4"]
    ).read("list.m3u")
    #expect(parsed.urls.last == "file:///media/a.mp4")
    #expect(parsed.issues.allSatisfy { $0.description.unicodeScalars.count < 1000 })
  }
}
