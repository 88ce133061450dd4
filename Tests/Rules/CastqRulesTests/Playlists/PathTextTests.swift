import CastqPaths
import Testing
@testable import CastqText

@Suite("Paths of any bytes")
struct PathTextTests {
  @Test("every byte sequence has a text of its own, and comes back from it")
  func roundTrip() {
    var generator = SeededBytes(state: 7)
    for _ in 0..<20_000 {
      let bytes = (0..<Int(generator.next() % 12)).map { _ in generator.byte() }
      let text = PathText.text(bytes)
      #expect(PathText.bytes(text) == bytes, "\(bytes)")
      #expect(PathText.system(text).dropLast().map(UInt8.init(bitPattern:)) == bytes)
    }
  }

  @Test(
    "only what is no UTF-8 becomes other characters, and so does a name that has those already",
    arguments: [
      ("Café".utf8.map { $0 }, "Café", "Café"),
      (Array("Caf".utf8) + [0xE9], "Caf\u{10FEE9}", "Café"),
      // A character is cut short: its bytes are kept one by one.
      ([0xE2, 0x82, 0x41], "\u{10FEE2}\u{10FE82}A", "â\u{FFFD}A"),
      (Array("\u{10FEE9}".utf8), "\u{10FEF4}\u{10FE8F}\u{10FEBB}\u{10FEA9}", "ô\u{FFFD}»©"),
      (Array("\u{10FFFD}".utf8), "\u{10FFFD}", "\u{10FFFD}"),
    ])
  func text(bytes: [UInt8], text: String, readable: String) {
    #expect(PathText.text(bytes) == text)
    #expect(PathText.readable(text) == readable)
    (bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { pointer in
      #expect(pointer.baseAddress.map { PathText.text($0) } == text)
    }
  }

  @Test("a slash, a dot and a control character are never hidden in it")
  func hidesNothing() {
    for value in UInt32(0x10FE00)...0x10FEFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(PathText.bytes(String(Character(scalar))).allSatisfy { $0 >= 0x80 })
    }
  }

  @Test("the address of a file has its bytes, and names it again")
  func address() throws {
    let path = PathText.text(Array("/nas/Caf".utf8) + [0xE9] + Array(" 1.mp4".utf8))
    let url = FilePath.url(path)
    #expect(url == "file:///nas/Caf%E9%201.mp4")
    #expect(try FilePath.path(url: url) == path)
    #expect(FilePath.line(url) == url, "a list has the address, since it has text alone")
    #expect(MediaTitle.told(by: url) == "Café 1")
    #expect(TerminalText.sanitized(path) == "/nas/Caf\u{FFFD} 1.mp4")
  }

  @Test(
    "a list finds files whose names are in its own character set, and shows its titles, and prefers those in UTF-8",
    arguments: [
      (CharacterSet.cyrillic, "Песня о друге", true), (.koi8, "Чёрный кофе", true),
      (.greek, "Το τραγούδι", true),
      (.centralEuropean, "Żółta łódź", false), (.turkish, "Güneş doğdu, ağaç", false),
      (.shiftJIS, "日本の歌", false),
    ])
  func sets(set: CharacterSet, title: String, isReadable: Bool) throws {
    let name = try #require(TestCharacterSets.bytes(title, in: set))
    let list = Array("#EXTM3U\n#EXTINF:1,".utf8) + name + [0x0A] + name + Array(".mp4\n".utf8)
    let old = "/media/" + PathText.text(name) + ".mp4"
    var loader = MemoryLoader()
    loader.files["/media/list.m3u"] = list
    loader.files["/media/list.pls"] = Array("[playlist]\nFile1=".utf8) + name + Array(".mp4\n".utf8)
    loader.files[old] = []
    let parsed = loader.read("list.m3u")
    #expect(parsed.messages == [] && parsed.urls == [FilePath.url(old)] && parsed.titles == [title])
    #expect(loader.read("list.pls").urls == [FilePath.url(old)])
    // Without a title of the list the name of the file is one, where its writing shows the set.
    if isReadable { #expect(MediaTitle.told(by: FilePath.url(old)) == title) }
    loader.files["/media/\(title).mp4"] = []
    #expect(loader.read("list.m3u").urls == [FilePath.url("/media/\(title).mp4")])
  }

  @Test("an XSPF list that declares its character set finds files whose names are in it")
  func document() throws {
    let name = try #require(TestCharacterSets.bytes("Песня", in: .cyrillic))
    let old = "/media/" + PathText.text(name) + ".mp4"
    var loader = MemoryLoader()
    loader.files["/media/list.xspf"] =
      Array("<?xml version=\"1.0\" encoding=\"windows-1251\"?><playlist><trackList><track><location>".utf8)
      + name
      + Array(".mp4</location></track></trackList></playlist>".utf8)
    loader.files[old] = []
    #expect(loader.read("list.xspf").urls == [FilePath.url(old)])
  }

  @Test(
    "a name of bytes is read as Latin-1, unless it looks like Cyrillic or Greek",
    arguments: [
      (CharacterSet.western, "Été à Orléans"), (.western, "Größe"), (.western, "Caf\u{E9}"),
      (.western, "cr\u{E9}\u{E9}e"), (.cyrillic, "Кино - Группа крови"),
      (.koi8, "Группа крови"), (.greek, "Η αγάπη"),
    ])
  func readable(set: CharacterSet, name: String) throws {
    let bytes = try #require(TestCharacterSets.bytes(name, in: set))
    #expect(MediaTitle.told(by: FilePath.url("/nas/" + PathText.text(bytes) + ".mp4")) == name)
  }

  @Test("a list in Latin-1 finds files whose names are in Latin-1, and prefers those in UTF-8")
  func latin1() {
    let old = PathText.text(Array("/media/Caf".utf8) + [0xE9] + Array(".mp4".utf8))
    let list = Array("Caf".utf8) + [0xE9] + Array(".mp4\n".utf8)
    var loader = MemoryLoader()
    loader.files["/media/list.m3u"] = list
    loader.files[old] = []
    func first(_ loader: MemoryLoader) -> String? {
      loader.read("list.m3u").urls.first
    }
    #expect(first(loader) == "file:///media/Caf%E9.mp4")
    loader.files["/media/Café.mp4"] = []
    #expect(first(loader) == "file:///media/Caf%C3%A9.mp4")
  }
}

/// Bytes of which many begin or continue characters of UTF-8.
private struct SeededBytes {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }

  mutating func byte() -> UInt8 {
    let likely: [UInt8] = [0xF4, 0x8F, 0xBA, 0xBB, 0xA9, 0xC3, 0xE2, 0x82, 0xF0, 0x41, 0x2F, 0xE9]
    let number = next()
    return number % 4 == 0 ? UInt8(truncatingIfNeeded: number >> 3) : likely[Int(number >> 4) % likely.count]
  }
}
