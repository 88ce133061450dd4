import CastProtocol
import CastqCore
import Testing

@Suite struct PlaylistEncodingTests {
  private func read(_ bytes: [UInt8], name: String = "list.m3u", limits: PlaylistLimits = PlaylistLimits())
    -> ParsedPlaylist
  {
    var loader = MemoryLoader(media: ["a.mp4", "b.mp4", "café.mp4"])
    loader.files["/media/" + name] = bytes
    return loader.read(name, limits: limits)
  }

  @Test(
    "lines end in LF, CR LF or CR, and a byte order mark is no part of the first",
    arguments: [
      "a.mp4\nb.mp4\n", "a.mp4\r\nb.mp4\r\n", "a.mp4\rb.mp4", "\u{FEFF}a.mp4\n\r\n\r\rb.mp4",
      "a.mp4\n\n\nb.mp4",
    ])
  func lineEnds(text: String) {
    for name in ["list.m3u", "list.m3u8"] {
      let parsed = read(Array(text.utf8), name: name)
      #expect(parsed.messages == [])
      #expect(parsed.urls == ["file:///media/a.mp4", "file:///media/b.mp4"])
    }
  }

  @Test("line numbers count every kind of line end")
  func lineNumbers() {
    #expect(read(Array("\r\n\r\n\n\rgone.mp4".utf8)).messages == ["5:1: no such file: gone.mp4"])
  }

  @Test("a line of a .m3u that is not UTF-8 is Windows-1252, each line for itself and without a word")
  func latin() {
    let bytes =
      Array("#EXTINF:1,Caf".utf8) + [0xE9, 0x20, 0x80, 0x20, 0x96, 0x0A] + Array("caf".utf8) + [0xE9]
      + Array(".mp4\r\n#EXTINF:1,Grüße\ncafé.mp4\n".utf8)
    let parsed = read(bytes)
    #expect(parsed.messages == [])
    #expect(parsed.titles == ["Café € –", "Grüße"])
    #expect(parsed.urls == ["file:///media/caf%C3%A9.mp4", "file:///media/caf%C3%A9.mp4"])
  }

  @Test(
    "a line of a .m3u8 that is not UTF-8 is an error at the byte's column, and only that line is lost",
    arguments: [
      ([0xFF], 1), (Array("ab".utf8) + [0xE9] + Array("c".utf8), 3), (Array("é日👋".utf8) + [0x80], 4),
      (Array("a".utf8) + [0xE6, 0x97], 2), (Array("ab".utf8) + [0xF0, 0x9F, 0x91], 3), ([0xC0, 0x80], 1),
      (Array("é".utf8) + [0xED, 0xA0, 0x80] + Array("é".utf8), 2),
      (Array(repeating: 0x61, count: 5000) + [0xFE] + Array(repeating: 0x61, count: 900), 5001),
    ] as [([UInt8], Int)])
  func invalid(line: [UInt8], column: Int) {
    let parsed = read(Array("#EXTINF:1,Lost\n".utf8) + line + Array("\na.mp4\n".utf8), name: "list.m3u8")
    #expect(
      parsed.messages == [
        "2:\(column): the line is not UTF-8, so it was left out; convert the file, or name it .m3u if it is Latin-1"
      ])
    #expect(parsed.urls == ["file:///media/a.mp4"])
    #expect(parsed.titles == [nil])
  }

  @Test("an entry keeps its place when only its description is not UTF-8")
  func invalidDescription() {
    let parsed = read(
      Array("#EXTINF:1,".utf8) + [0xE9] + Array("\n#CASTQ: start=1\na.mp4".utf8), name: "list.m3u8")
    #expect(parsed.playlist.drafts.first?.startTime == 1)
  }

  @Test(
    "UTF-16 is named instead of shown as rubbish",
    arguments: [[0xFF, 0xFE, 0x61, 0], [0xFE, 0xFF, 0, 0x61]] as [[UInt8]])
  func wide(bytes: [UInt8]) {
    #expect(read(bytes).messages == ["1:1: the playlist is UTF-16; save it as UTF-8"])
  }

  @Test("a line and a file that are too long are refused, the rest is read")
  func tooLong() {
    var limits = PlaylistLimits()
    limits.lineBytes = 20
    limits.fileBytes = 60
    let long = String(repeating: "x", count: 21)
    let parsed = read(Array("\(long)\na.mp4\n#\(long)\nb.mp4".utf8), limits: limits)
    #expect(
      parsed.messages == [
        "1:1: the line is longer than 20 bytes, so it was left out",
        "3:1: the line is longer than 20 bytes, so it was left out",
      ])
    #expect(parsed.playlist.drafts.count == 2)
    #expect(
      read(Array("\(long)\(long)\(long)".utf8), limits: limits).messages == [
        "1:1: cannot read list.m3u: it is larger than 60 bytes"
      ])
  }

  @Test("a title too long for a screen is cut, a directive's text is refused")
  func longText() {
    let long = String(repeating: "é", count: 1001)
    let parsed = read(Array("#EXTINF:1,\(long)\n#CASTQ: subtitle=\(long)\na.mp4".utf8))
    #expect(
      parsed.messages == [
        "1:11: warning: the title is longer than 1000 characters; it was cut",
        "2:18: the text is longer than 1000 characters",
      ])
    #expect(parsed.titles.first??.count == 1000)
  }

  @Test("issues beyond the limit are counted and not listed, and still say whether any was an error")
  func issueLimit() {
    var limits = PlaylistLimits()
    limits.issues = 2
    let parsed = read(Array("x\ny\nz\n#EXTINF:1,w\n".utf8), limits: limits)
    #expect(
      parsed.messages == [
        "1:1: no such file: x", "2:1: no such file: y",
        "3:1: 1 more errors and 1 more warnings from here on are not listed",
      ])
    #expect(parsed.issues.contains { $0.severity == .error })
  }
}
