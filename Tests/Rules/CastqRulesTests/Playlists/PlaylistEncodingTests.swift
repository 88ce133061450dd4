import CastProtocol
import CastqPlaylists
import CastqText
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

  @Test("a byte order mark before a line that is not UTF-8 is no part of it", arguments: ["", "#EXTM3U\r\n"])
  func markBeforeForeign(head: String) {
    let line = Array("caf".utf8) + [0xE9] + Array(".mp4\r\n".utf8)
    let parsed = read([0xEF, 0xBB, 0xBF] + Array(head.utf8) + line + Array("café.mp4\n".utf8))
    #expect(parsed.messages == [])
    #expect(parsed.urls == ["file:///media/caf%C3%A9.mp4", "file:///media/caf%C3%A9.mp4"])
  }

  @Test(
    "a line that is not UTF-8 in a .m3u8 that is, is an error at the byte's column, and only that line is lost",
    arguments: [
      ([0xFF], 1), (Array("ab".utf8) + [0xE9] + Array("c".utf8), 3), (Array("é日👋".utf8) + [0x80], 4),
      (Array("a".utf8) + [0xE6, 0x97], 2), (Array("ab".utf8) + [0xF0, 0x9F, 0x91], 3), ([0xC0, 0x80], 1),
      (Array("é".utf8) + [0xED, 0xA0, 0x80] + Array("é".utf8), 2),
      (Array(repeating: 0x61, count: 5000) + [0xFE] + Array(repeating: 0x61, count: 900), 5001),
    ] as [([UInt8], Int)])
  func invalid(line: [UInt8], column: Int) {
    let parsed = read(
      Array("# Größe\n# Übung\n#EXTINF:1,Lost\n".utf8) + line + Array("\na.mp4\n".utf8), name: "list.m3u8")
    #expect(
      parsed.messages == ["4:\(column): the line is not UTF-8, so it was left out; save the file as UTF-8"])
    #expect(parsed.urls == ["file:///media/a.mp4"])
    #expect(parsed.titles == [nil])
  }

  @Test("an entry keeps its place when only its description is not UTF-8")
  func invalidDescription() {
    let parsed = read(
      Array("# é\n# é\n#EXTINF:1,".utf8) + [0xE9] + Array("\n#CASTQ: start=1\na.mp4".utf8), name: "list.m3u8")
    #expect(parsed.playlist.drafts.first?.startTime == 1)
  }

  /// In UTF-16 with and without a byte order mark, both ways round.
  private static func wide(_ text: String) -> [[UInt8]] {
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big]
  }

  @Test(
    "UTF-16 is read in every format of lists, with and without a byte order mark",
    arguments: [
      ("m3u", "#EXTM3U\r\n#EXTINF:1,Привет 音楽\r\na.mp4\r\n"), ("m3u8", "#EXTINF:1,Привет 音楽\na.mp4"),
      ("pls", "[playlist]\nFile1=a.mp4\nTitle1=Привет 音楽\n"), ("yaml", "- file: a.mp4\n  title: Привет 音楽\n"),
      ("json", #"[{"file": "a.mp4", "title": "Привет 音楽"}]"#),
      ("jspf", #"{"playlist": {"track": [{"location": ["a.mp4"], "title": "Привет 音楽"}]}}"#),
      (
        "xspf",
        "<playlist><trackList><track><location>a.mp4</location><title>Привет 音楽</title></track></trackList></playlist>"
      ),
    ])
  func wide(format: String, text: String) {
    for bytes in Self.wide(text) {
      let parsed = read(bytes, name: "list.\(format)")
      #expect(parsed.messages.filter { !$0.contains("xspf.org") } == [])
      #expect(parsed.titles == ["Привет 音楽"] && parsed.urls == ["file:///media/a.mp4"])
      var loader = MemoryLoader(media: ["a.mp4"])
      loader.standardInput = bytes
      #expect(loader.read("-").titles == ["Привет 音楽"], "by its first bytes")
    }
  }

  @Test("UTF-32 is read by its byte order mark")
  func wider() {
    let scalars = "#EXTINF:1,日本\na.mp4".unicodeScalars.map(\.value)
    let little: [UInt8] = scalars.flatMap { scalar -> [UInt8] in
      [UInt8(scalar & 0xFF), UInt8(scalar >> 8 & 0xFF), UInt8(scalar >> 16), 0]
    }
    #expect(read([0xFF, 0xFE, 0, 0] + little).titles == ["日本"])
  }

  @Test("a film whose bytes are half zeros is no text in UTF-16")
  func notWide() {
    let bytes = (0..<400).flatMap { number -> [UInt8] in [UInt8(number % 32), 0] }
    #expect(read(bytes).messages == ["1:1: it is not a playlist: it holds bytes that no text has"])
  }

  @Test("a .m3u8 that is not UTF-8 is read in the set that it looks like, and says which")
  func mistaken() {
    // Привет, мир
    let title: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x2C, 0x20, 0xEC, 0xE8, 0xF0]
    let bytes = Array("#EXTM3U\n#EXTINF:1,".utf8) + title + Array("\na.mp4\n".utf8)
    for (name, messages) in [
      ("list.m3u8", ["1:1: warning: the list is not UTF-8; it was read as CP1251; save it as UTF-8"]),
      ("list.m3u", []),
    ] {
      let parsed = read(bytes, name: name)
      #expect(parsed.messages == messages)
      #expect(parsed.titles == ["Привет, мир"])
    }
  }

  @Test("a list of thousands of lines that are not UTF-8 keeps each in its place")
  func long() {
    // Канал, and a number.
    let word: [UInt8] = [0xCA, 0xE0, 0xED, 0xE0, 0xEB, 0x20]
    var bytes: [UInt8] = []
    for number in 0..<3000 {
      let isUTF8 = number % 7 == 0
      bytes +=
        Array("#EXTINF:1,".utf8) + (isUTF8 ? Array("Größe ".utf8) : word)
        + Array("\(number)\r\na.mp4\r\n".utf8)
    }
    #expect(read(bytes).titles == (0..<3000).map { $0 % 7 == 0 ? "Größe \($0)" : "Канал \($0)" })
  }

  @Test(
    "of several readings of a list that one counts whose files are there",
    arguments: [
      (CharacterSet.latin2, "Ťažký život"), (.baltic, "Ąžuolas"), (.dosCentralEuropean, "Łódź"),
      (.turkish, "Işık"), (.vietnamese, "Đêm"), (.isoCyrillic, "Мурка"), (.dosWestern, "Äpfel"),
    ])
  func found(set: CharacterSet, name: String) throws {
    let bytes = try #require(TestCharacterSets.bytes(name, in: set))
    let lists = [
      "list.m3u": Array("#EXTINF:1,".utf8) + bytes + Array("\r\nshows/".utf8) + bytes
        + Array(".mp4 \r\n".utf8),
      "list.m3u8": Array("#EXTINF:1,".utf8) + bytes + Array("\nshows/".utf8) + bytes + Array(".mp4\n".utf8),
      "list.pls": Array("[playlist]\nTitle1=".utf8) + bytes + Array("\nfile1 = shows/".utf8) + bytes
        + Array(".mp4\n".utf8),
    ]
    for (file, list) in lists {
      var loader = MemoryLoader(media: ["shows/\(name).mp4", "shows/other.mp4"])
      loader.files["/media/" + file] = list
      let parsed = loader.read(file)
      #expect(parsed.titles == [name] && parsed.urls == [FilePath.url("/media/shows/\(name).mp4")], "\(file)")
      // What the list says of itself is believed, right or wrong.
      loader.files["/media/" + file] = Array("#EXTENC: windows-1251\n".utf8) + list
      if file == "list.m3u" { #expect(loader.read(file).titles != [name]) }
    }
  }

  @Test(
    "a short list is read in the set that its letters look like",
    arguments: [
      (CharacterSet.dosCyrillic, "Мурка"), (.dosCyrillic, "Новости"), (.dosCyrillic, "Погода"),
      (.western, "Größe"), (.western, "Café"), (.western, "It’s"), (.western, "5 €"),
      (.western, "Berlin – Paris"),
      (.western, "“Hello”"), (.western, "wait…"), (.cyrillic, "Мурка"), (.koi8, "Мурка"), (.thai, "ข่าว"),
    ])
  func short(set: CharacterSet, title: String) throws {
    let bytes = try #require(TestCharacterSets.bytes(title, in: set))
    #expect(read(Array("#EXTINF:1,".utf8) + bytes + Array("\na.mp4\n".utf8)).titles == [title])
  }

  @Test("what a list or its server says of its character set is believed where it can be so")
  func declared() {
    // é in Latin-1, й in CP1251, and too little to tell.
    let tagged =
      Array("#EXTM3U\n#EXTENC: windows-1251\n#EXTINF:1,x ".utf8) + [0xE9, 0x0A] + Array("a.mp4".utf8)
    #expect(read(tagged).titles == ["x й"])
    let marked = [0xEF, 0xBB, 0xBF] + Array(tagged.dropFirst(Array("#EXTM3U\n".utf8).count))
    #expect(read(marked).titles == ["x й"])
    let plain = Array("#EXTINF:1,x ".utf8) + [0xE9, 0x0A] + Array("http://h/a.mp4".utf8)
    let address = "http://h/l.m3u"
    for (type, title) in [
      ("audio/x-mpegurl; charset=\"Windows-1251\"", "x й"), ("audio/x-mpegurl; charset=ISO-8859-1", "x é"),
      ("audio/x-mpegurl", "x é"),
    ] {
      var loader = MemoryLoader()
      loader.web[address] = FetchedPlaylist(bytes: plain, address: address, contentType: type)
      #expect(loader.read(address).titles == [title])
    }
  }

  @Test("a short title in two bytes for each letter that looks like UTF-8 is read as the rest of its list is")
  func chance() {
    // 联通 in GB18030 is UTF-8 of two other letters.
    let chance: [UInt8] = [0xC1, 0xAA, 0xCD, 0xA8]
    let good: [UInt8] = [0xD6, 0xD0, 0xB9, 0xFA, 0xD6, 0xD0, 0xD1, 0xEB, 0xB5, 0xE7, 0xCA, 0xD3, 0xCC, 0xA8]
    var bytes: [UInt8] = []
    for title in [good, chance, good] { bytes += Array("#EXTINF:1,".utf8) + title + Array("\na.mp4\n".utf8) }
    #expect(read(bytes).titles == ["中国中央电视台", "联通", "中国中央电视台"])
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
