import CastProtocol
import CastqPlaylists
import CastqText
import Testing

/// What becomes of subtitles that are not as they should be.
@Suite struct SubtitleConversionTests {
  private static func convert(_ text: String, _ file: String = "film.srt", offset: Double = 0) throws
    -> SubtitleConversion
  {
    try SubtitleConversion(text, file: file, offset: offset)
  }

  @Test("a subtitle that cannot be read is named by its line and column, and no other is lost")
  func unreadable() throws {
    let text = """
      1
      00:00:01,000 --> 00:00:02,000
      first

      2
      00:00:03,000 --> 00:0x:04,000
      lost

      3
      00:00:06,000 --> 00:00:05,000
      backwards

      4
      00:00:07,000 --> 00:61:08,000
      too many minutes

      5
      00:00:09,000 --> 00:00:10,000
      last
      """
    let converted = try Self.convert(text)
    #expect(
      converted.text
        == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nfirst\n\n00:00:09.000 --> 00:00:10.000\nlast\n\n")
    #expect(converted.issues.map { [$0.line, $0.column] } == [[6, 22], [10, 1], [14, 21]])
  }

  @Test("an offset moves every subtitle; what would be over before the beginning is left out")
  func offset() throws {
    let text = "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:02,500 --> 00:00:04,000\nb\n"
    #expect(
      try Self.convert(text, offset: 1.5).text
        == "WEBVTT\n\n00:00:02.500 --> 00:00:03.500\na\n\n00:00:04.000 --> 00:00:05.500\nb\n\n")
    #expect(try Self.convert(text, offset: -3).text == "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nb\n\n")
    let styled = "WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:01.000 --> 00:02.000 line:0\n<i>a</i>\n"
    #expect(
      try Self.convert(styled, "film.vtt", offset: 1).text
        == "WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:00:02.000 --> 00:00:03.000 line:0\n<i>a</i>\n\n")
  }

  @Test("markup that is never closed, or closed in the wrong order, is nested and closed")
  func markup() throws {
    func text(_ line: String) throws -> String {
      let converted = try Self.convert("1\n00:00:01,000 --> 00:00:02,000\n\(line)\n").text
      return String(converted.dropFirst("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n".count).dropLast(2))
    }
    #expect(try text("<i>a") == "<i>a</i>")
    #expect(try text("<b>a<i>b</b>c</i>") == "<b>a<i>b</i></b><i>c</i>")
    #expect(try text("a</i> <U>b</U><script>") == "a <u>b</u>&lt;script&gt;")
    #expect(try text("A --> <b class=\"x\">B</b>") == "A --&gt; <b>B</b>")
    #expect(try text("{\\i1}a{\\i0}b {c}") == "<i>a</i>b {c}")
    #expect(try text("&#65;&#x42;&nbsp;&foo; \u{1B}[2J\u{0}") == "AB&nbsp;&amp;foo; [2J")
  }

  @Test(
    "a file that is no text of subtitles is refused with advice",
    arguments: ["{25}{75}Hello|there\n", "<SAMI>\n<BODY>", "# VobSub index file, v7\n", "PNG", ""])
  func refused(text: String) {
    for name in ["film.sub", "film.txt"] {
      do {
        _ = try Self.convert(text, name)
        Issue.record("it was converted")
      } catch let error as TextError {
        #expect(error.hint != nil)
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test(
    "a format that is not read is named, whatever the ending is",
    arguments: [
      ("MPL2", "[10][30]Hello|there\n[40][60]you\n"), ("SBV", "0:00:01.000,0:00:03.000\nHello\n"),
      ("TMPlayer", "00:00:01:Hello|there\n00:00:04:\n"), ("TMPlayer", "00:00:01=Hello\n"),
      ("TMPlayer", "00:00:01,1=Hello\n"), ("LRC", "[ti:Song]\n[00:01.00]Hello\n"),
      ("LRC", "\n[00:12.34]Hello\n"), ("SAMI", "<SAMI>\n<BODY>"),
    ])
  func named(format: String, text: String) {
    for name in ["film.srt", "film.sub", "film.txt"] {
      let error = #expect(throws: TextError.self) { try Self.convert(text, name) }
      #expect(
        error?.message.contains(format) == true && error?.hint != nil, "\(name): \(error?.message ?? "")")
    }
  }

  @Test("a subtitle file is none of another format because a line before it looks like one")
  func almostNamed() throws {
    for first in ["[ti:Song]", "00:00:00:01 -> 00:00:00:20", "0:00:01"] {
      let text = "\(first)\n\n1\n00:00:01,000 --> 00:00:02,000\na\n"
      #expect(try Self.convert(text, "film.srt").format == .subRip)
    }
  }

  @Test("the content tells the format where the ending is wrong")
  func format() throws {
    #expect(try Self.convert("WEBVTT\n\n00:01.000 --> 00:02.000\na\n", "film.srt").format == .webVTT)
    #expect(try Self.convert("1\n00:00:01,000 --> 00:00:02,000\na\n", "film.vtt").format == .subRip)
    #expect(
      try Self.convert(
        "[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a\n", "film.srt"
      ).format == .subStation)
  }

  @Test("files beyond the limits are cut with a word, and never read without end")
  func limits() throws {
    var limits = SubtitleLimits()
    (limits.cues, limits.lineBytes, limits.cueBytes, limits.issues) = (3, 100, 50, 2)
    let cue = { (n: Int, text: String) in "\(n)\n00:00:0\(n),000 --> 00:00:0\(n),500\n\(text)\n\n" }
    let long =
      cue(1, String(repeating: "x", count: 60)) + cue(2, String(repeating: "y", count: 200)) + cue(3, "a")
    let converted = try SubtitleConversion(
      long + cue(4, "b") + cue(5, "c") + cue(6, "d"), file: "film.srt", limits: limits)
    #expect(converted.count == 3)
    #expect(converted.issues.count == 3)
    limits.fileBytes = 10
    #expect(throws: TextError.self) { try SubtitleConversion(long, file: "film.srt", limits: limits) }
  }

  @Test("whatever a file holds, what comes of it is WebVTT that stays as it is")
  func hostile() throws {
    let seeds = [
      "1\n00:00:01,000 --> 00:00:02,000\n<i>a</i> {\\an8}b & c\n\n2\n00:00:03,000 --> 00:00:04,000\nd\n",
      "WEBVTT\n\nSTYLE\n::cue {}\n\nx\n00:01.000 --> 00:02.000 line:0\n<v A>b\n",
      "[V4+ Styles]\nFormat: Name, Italic\nStyle: A,1\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,{\\b1}a\\Nb\n",
      "<tt xmlns=\"http://www.w3.org/ns/ttml\"><body><p begin=\"1s\" end=\"2s\">a<br/>b</p></body></tt>",
    ]
    let pieces = [
      "-->", "\n\n", "\n", "<", "{", "}", "\\", "\u{0}", "&", "1", "WEBVTT", "99999999999999999999",
      "\u{FEFF}",
    ]
    var random = SeededGenerator(seed: 12)
    for round in 0..<2000 {
      var text = Array(seeds[round % seeds.count].unicodeScalars)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, place + Int.random(in: 0...8, using: &random))
        let piece = pieces.randomElement(using: &random) ?? ""
        text.replaceSubrange(place..<(Bool.random(using: &random) ? end : place), with: piece.unicodeScalars)
      }
      var hostile = String.UnicodeScalarView()
      hostile.append(contentsOf: text)
      guard let once = try? Self.convert(String(hostile), offset: -0.5) else { continue }
      let twice = try Self.convert(once.text, "film.vtt")
      #expect(twice.text == once.text && twice.issues.isEmpty, "\(String(hostile).debugDescription)")
    }
  }

  @Test("braces and brackets that are never closed cost a line no more than others", .timeLimit(.minutes(5)))
  func unclosed() throws {
    let line = String(repeating: "{\\<i ", count: 10_000)
    let cue = "00:00:01,000 --> 00:00:02,000\n\(line)\n"
    for text in [cue, "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,A,,0,0,0,,\(line)\n"] {
      #expect(throws: TextError.self) { try Self.convert(text) }
    }
  }

  @Test(
    "a part of a file name is a language, or it is not",
    arguments: [
      ("en", "en"), ("ger", "de"), ("pt-br", "pt-BR"), ("pt_BR", "pt-BR"), ("English", "en"),
      ("zh-Hans", "zh-Hans"),
      ("forced", nil), ("1080p", nil), ("to", "to"), ("new", nil), ("", nil), ("tlh", "tlh"), ("tib", "bo"),
      ("bod", "bo"), ("cmn", "zh"), ("gsw", "gsw"), ("deutsch", "de"), ("Français", "fr"), ("русский", "ru"),
      ("日本語", "ja"), ("Norwegian", "no"), ("Klingon", "tlh"), ("zz", nil), ("SDH", nil),
    ] as [(String, String?)])
  func language(name: String, code: String?) {
    #expect(SubtitleLanguage.code(name) == code)
  }
}
