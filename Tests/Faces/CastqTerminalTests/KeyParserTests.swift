import CastqTerminal
import Testing

@Suite("Keys, mouse and pasted text")
struct KeyParserTests {
  private func events(_ text: String) -> [TerminalEvent] {
    var parser = KeyParser()
    return parser.read(Array(text.utf8)) + parser.flush()
  }

  @Test(
    "a sequence is the key that terminals send by it",
    arguments: [
      ("a", TerminalKey(.character("a"))), ("\r", TerminalKey(.enter)), ("\t", TerminalKey(.tab)),
      ("\u{7F}", TerminalKey(.backspace)), ("\u{1A}", TerminalKey(.character("z"), control: true)),
      ("\u{1B}[A", TerminalKey(.up)), ("\u{1B}OB", TerminalKey(.down)), ("\u{1B}[5~", TerminalKey(.pageUp)),
      ("\u{1B}[1;3C", TerminalKey(.right, alt: true)), ("\u{1B}[1;2D", TerminalKey(.left, shift: true)),
      ("\u{1B}[1;5H", TerminalKey(.home, control: true)), ("\u{1B}[Z", TerminalKey(.tab, shift: true)),
      ("\u{1B}x", TerminalKey(.character("x"), alt: true)), ("\u{1B}", TerminalKey(.escape)),
      ("é", TerminalKey(.character("é"))), ("日", TerminalKey(.character("日"))),
      ("🎬", TerminalKey(.character("🎬"))),
      ("\u{1B}OP", TerminalKey(.function(1))), ("\u{1B}[24~", TerminalKey(.function(12))),
    ])
  func keys(bytes: String, key: TerminalKey) {
    #expect(events(bytes) == [.key(key)])
  }

  @Test("a press, a drag and the wheel have their place, counted from 0")
  func mouse() {
    #expect(events("\u{1B}[<0;3;2M") == [.mouse(TerminalMouse(.press, row: 1, column: 2))])
    #expect(events("\u{1B}[<0;3;2m") == [.mouse(TerminalMouse(.release, row: 1, column: 2))])
    #expect(events("\u{1B}[<32;1;1M") == [.mouse(TerminalMouse(.drag, row: 0, column: 0))])
    #expect(events("\u{1B}[<64;9;9M") == [.mouse(TerminalMouse(.wheelUp, row: 8, column: 8))])
    #expect(events("\u{1B}[<65;9;9M") == [.mouse(TerminalMouse(.wheelDown, row: 8, column: 8))])
    #expect(events("\u{1B}[<0;0;2M").isEmpty && events("\u{1B}[<0;99999999999999999999;2M").count == 1)
  }

  @Test("what is pasted is no keys, and brings no control character along")
  func paste() {
    #expect(
      events("\u{1B}[200~qD\u{1B}[31mx\r\ny\u{1B}[201~n") == [
        .paste("qDx\ny"), .key(TerminalKey(.character("n"))),
      ])
  }

  @Test("a paste is kept to its limit, and its end is still seen")
  func longPaste() throws {
    let pasted = String(repeating: "a", count: KeyParser.pasteLimit * 3)
    let read = events("\u{1B}[200~\(pasted)\u{1B}[201~k")
    guard case .paste(let text) = try #require(read.first) else { return #expect(Bool(false)) }
    #expect(text.utf8.count == KeyParser.pasteLimit)
    #expect(read.last == .key(TerminalKey(.character("k"))))
  }

  @Test("an answer about synchronised output is an event and no key")
  func mode() {
    #expect(events("\u{1B}[?2026;2$y") == [.mode(2026, 2)])
  }

  @Test("bytes in any pieces are the same events")
  func pieces() {
    let bytes = Array("a\u{1B}[1;5C日\u{1B}[<0;3;2M\u{1B}[200~x\u{1B}[201~\u{1B}OA\u{1B}[?2026;1$y🎬".utf8)
    var whole = KeyParser()
    let expected = whole.read(bytes)
    for cut in 1..<bytes.count {
      var parser = KeyParser()
      #expect(parser.read(bytes[..<cut]) + parser.read(bytes[cut...]) == expected)
    }
  }

  @Test("bytes of chance make no key that holds a control character, and nothing grows")
  func chance() {
    var generator = SystemRandomNumberGenerator()
    var parser = KeyParser()
    for _ in 0..<20 {
      let bytes = (0..<2000).map { _ in
        // Introducers more often than chance has them.
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator) : Array("\u{1B}[]O;<~M".utf8).randomElement() ?? 0
      }
      for event in parser.read(bytes) {
        if case .key(let key) = event, case .character(let character) = key.name {
          #expect(
            character.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
        }
      }
    }
    #expect(MemoryLayout.size(ofValue: parser) < 64)
  }
}
