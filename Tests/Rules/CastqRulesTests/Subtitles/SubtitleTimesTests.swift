import CastqPlaylists
import CastqText
import Testing

/// Lines of times as programs and people write them.
@Suite struct SubtitleTimesTests {
  /// The second of three subtitles, and what comes of it; nil where it is left out and named.
  @Test(
    "every line of times is read, or left out and named, and is never text",
    arguments: [
      // pysubs2 reads the first ones so (SubripFormat.TIMESTAMP: `,` `.` `:`, one to three digits).
      ("00:00:03,000 --> 00:00:04,000", "00:00:03.000 --> 00:00:04.000"),
      ("00:00:03.000 --> 00:00:04.000", "00:00:03.000 --> 00:00:04.000"),
      ("00:00:03:000 --> 00:00:04:000", "00:00:03.000 --> 00:00:04.000"),
      ("0:00:03,5 --> 0:00:04,25", "00:00:03.500 --> 00:00:04.250"),
      // WebVTT 4.4: hours may be missing.
      ("00:03.000 --> 00:04.000", "00:00:03.000 --> 00:00:04.000"),
      // A start before the beginning is the beginning; an end before it is never shown.
      ("-00:00:01,500 --> 00:00:03,000", "00:00:00.000 --> 00:00:03.000"),
      ("-00:00:02,500 --> -00:00:01,000", nil),
      // Other arrows: one dash, signs of equality, those that editors and translators put in their place.
      ("00:00:03,000 -> 00:00:04,000", "00:00:03.000 --> 00:00:04.000"),
      ("00:00:03,000 -\u{2013}> 00:00:04,000", "00:00:03.000 --> 00:00:04.000"),
      ("00:00:03,000 => 00:00:04,000", "00:00:03.000 --> 00:00:04.000"),
      ("00:00:03,000 \u{2192} 00:00:04,000", "00:00:03.000 --> 00:00:04.000"),
      ("00:00:03,000 --&gt; 00:00:04,000", "00:00:03.000 --> 00:00:04.000"),
      ("00:00:03,000 - 00:00:04,000", "00:00:03.000 --> 00:00:04.000"),
      ("00: 00: 03, 000 -- > 00: 00: 04, 000", "00:00:03.000 --> 00:00:04.000"),
      ("00:00:03,000-->00:00:04,000", "00:00:03.000 --> 00:00:04.000"),
      // Marks of direction, spaces that do not break and wide digits, which editors of Arabic, Hebrew and Chinese leave in the line.
      ("\u{200E}00:00:03,000 --> 00:00:04,000", "00:00:03.000 --> 00:00:04.000"),
      ("\u{202B}00:00:03,000 --> 00:00:04,000\u{202C}", "00:00:03.000 --> 00:00:04.000"),
      ("00:00:03,000\u{A0}-->\u{A0}00:00:04,000", "00:00:03.000 --> 00:00:04.000"),
      ("００：００：０３，０００ --> ００：００：０４，０００", "00:00:03.000 --> 00:00:04.000"),
      // SubRip's place on the screen, and WebVTT 6.3: settings need no space before them (vtt.js 226).
      ("00:00:03,000 --> 00:00:04,000  X1:100 X2:600 Y1:50 Y2:100", "00:00:03.000 --> 00:00:04.000"),
      ("00:00:03.000 --> 00:00:04.000align:start", "00:00:03.000 --> 00:00:04.000"),
      // Not times, though meant as such.
      ("00:00:03,000 -->", nil), ("00:00:75,000 --> 00:00:80,000", nil),
      ("00:00:03,000 --> 00:0x:04,000", nil), ("xx:00:03,000 --> 00:00:04,000", nil),
      ("00:00:0x,000 -> 00:00:04,000", nil), ("00:00:03,000 -> soon", nil),
      ("00:61:03,000 --> 00:62:00,000", nil),
    ] as [(String, String?)])
  func line(times: String, expected: String?) throws {
    let text = """
      1
      00:00:01,000 --> 00:00:02,000
      first

      2
      \(times)
      second

      3
      00:00:05,000 --> 00:00:06,000
      third
      """
    let converted = try SubtitleConversion(text, file: "film.srt")
    let first = "00:00:01.000 --> 00:00:02.000\nfirst\n\n"
    let second = expected.map { "\($0)\nsecond\n\n" } ?? ""
    let third = "00:00:05.000 --> 00:00:06.000\nthird\n\n"
    let isEarlier = expected?.hasPrefix("00:00:00") == true
    #expect(converted.text == "WEBVTT\n\n" + (isEarlier ? second + first : first + second) + third)
    #expect(converted.issues.map(\.line) == (expected == nil ? [6] : []))
  }

  /// What comes of files from the trackers of other programs.
  @Test(
    "a counter is no text, and text is none, whatever lines are missing or doubled",
    arguments: [
      // subliminal 311: an empty line after each line.
      ("24\n\nT1\n\nStart.\n\nEzekiel.\n\n25\n\nT2\n\nok\n", ["Start.\nEzekiel.", "ok"]),
      ("1\r\r\nT1\r\r\nab\r\r\n\r\r\n2\r\r\nT2\r\r\ncd\r\r\n", ["ab", "cd"]),
      // Memento 69, clappr 1476, pysubs2 11, captioning 10: empty lines within, no text, a line of spaces.
      ("9\nT1\nA\n\nB\n\n10\nT2\nC\n", ["A\nB", "C"]), ("1\nT1\nx\n\n2\nT2\n\n\n3\nT3\ny\n", ["x", "y"]),
      ("8\nT1\nx\n \n9\nT2\ny\n", ["x", "y"]), ("\u{200E}1\nT1\nx\n\n\u{200E}2\nT2\ny\n", ["x", "y"]),
      // Numbers that are said.
      ("1\nT1\n42\n\n2\nT2\n1984\n2\n", ["42", "1984\n2"]), ("T1\n42\n\nT2\n43\n", ["42", "43"]),
      ("1\nT1\n7\n\nT2\nx\n", ["7", "x"]),
    ])
  func counters(file: String, texts: [String]) throws {
    var text = file
    for number in 1...3 {
      text = text.replacing("T\(number)", with: "00:00:0\(number),000 --> 00:00:0\(number),500")
    }
    let converted = try SubtitleConversion(text, file: "film.srt")
    let cues = converted.text.split(separator: "\n\n").dropFirst().map {
      $0.split(separator: "\n").dropFirst().joined(separator: "\n")
    }
    #expect(cues == texts && converted.issues.isEmpty, "\(converted.issues)")
  }

  @Test(
    "styles of MicroDVD in a file that was converted from there are no text (ffmpeg, htmlsubtitles.c)",
    arguments: [
      ("{y:i}Slanted", "<i>Slanted</i>"), ("{Y:b,u}a", "<b><u>a</u></b>"), ("{C:$0000FF}red", "red"),
      ("{y:i", "{y:i"),
      ("{x:y} {f} {:i}", "{x:y} {f} {:i}"), ("{f:Arial}{s:20}a", "a"),
    ])
  func converted(line: String, text: String) throws {
    let converted = try SubtitleConversion("1\n00:00:01,000 --> 00:00:02,000\n\(line)\n", file: "film.srt")
    #expect(converted.text == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n\(text)\n\n")
  }

  @Test(
    "frames, ticks and time code of TTML are moments",
    arguments: [
      // TTML1, 6.2: without rates 30 frames and one tick a second; with a frame rate ticks are sub-frames (hls.js 8024).
      ("", "00:00:01:15", "00:00:02:00", "00:00:01.500 --> 00:00:02.000"),
      ("", "2t", "4t", "00:00:02.000 --> 00:00:04.000"),
      ("ttp:frameRate='25'", "50t", "100t", "00:00:02.000 --> 00:00:04.000"),
      ("ttp:frameRate='25' ttp:subFrameRate='2'", "100t", "200t", "00:00:02.000 --> 00:00:04.000"),
      (
        "ttp:frameRate='25' ttp:subFrameRate='2'", "00:00:01:05.1", "00:00:02:00",
        "00:00:01.220 --> 00:00:02.000"
      ),
      // astisub 26, MediaInfoLib 1493, subtitleedit 2334.
      ("ttp:tickRate='10000000'", "18637368750t", "18676157500t", "00:31:03.737 --> 00:31:07.616"),
      (
        "ttp:frameRate='24' ttp:frameRateMultiplier='1000 1001'", "24f", "48f",
        "00:00:01.001 --> 00:00:02.002"
      ),
      ("ttp:frameRate='25'", "00:30:00:00", "00:30:01:23", "00:30:00.000 --> 00:30:01.920"),
      // TTML1, appendix N: an hour of time code at 23.976 frames is 3603.6 seconds; at 29.97 numbers are left out for that.
      (
        "ttp:timeBase='smpte' ttp:frameRate='24' ttp:frameRateMultiplier='1000 1001'", "01:00:00:00",
        "01:00:01", "01:00:03.600 --> 01:00:04.601"
      ),
      (
        "ttp:timeBase='smpte' ttp:dropMode='dropNTSC' ttp:frameRate='30' ttp:frameRateMultiplier='1000 1001'",
        "00:01:00:02", "00:10:00:00", "00:01:00.060 --> 00:09:59.999"
      ),
      (
        "ttp:timeBase='smpte' ttp:frameRate='25'", "01:00:00:05", "01:00:01:00",
        "01:00:00.200 --> 01:00:01.000"
      ),
    ])
  func frames(root: String, begin: String, end: String, times: String) throws {
    let file =
      "<tt xmlns='http://www.w3.org/ns/ttml' xmlns:ttp='http://www.w3.org/ns/ttml#parameter' \(root)>"
      + "<body><div><p begin='\(begin)' end='\(end)'>a</p></div></body></tt>"
    let converted = try SubtitleConversion(file, file: "film.ttml")
    #expect(converted.text == "WEBVTT\n\n\(times)\na\n\n" && converted.issues.isEmpty)
  }

  @Test("what stands above the first times is named")
  func beginning() throws {
    let text = "1\nsoon, I hope\nlost\n\n2\n00:00:01,000 --> 00:00:02,000\nfirst\n"
    let converted = try SubtitleConversion(text, file: "film.srt")
    #expect(converted.text == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nfirst\n\n")
    #expect(converted.issues.map(\.line) == [1])
    let unreadable = "1\n00:00:0x,000 -> 00:00:02,000\nlost\n\n" + text.dropFirst(text.count - 46)
    #expect(try SubtitleConversion(unreadable, file: "film.srt").issues.map(\.line) == [2])
  }

  @Test(
    "a text with an arrow or with times stays text",
    arguments: [
      "A --> B", "10:30 - 12:00", "From 10:30 -> 12:00", "12:15, I think", "1:2 => lost", "10:30 -> go",
      "5 -> 6",
    ])
  func text(line: String) throws {
    let converted = try SubtitleConversion(
      "1\n00:00:01,000 --> 00:00:02,000\nHe said:\n\(line)\n", file: "film.srt")
    #expect(converted.issues.isEmpty && converted.text.contains("He said:\n"))
  }

  @Test("a byte order mark within a file of two that were joined is no text")
  func mark() throws {
    let one = "1\n00:00:01,000 --> 00:00:02,000\nA\n"
    let two = "\u{FEFF}1\n00:00:03,000 --> 00:00:04,000\nB\u{FEFF}\n"
    let expected = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nA\n\n00:00:03.000 --> 00:00:04.000\nB\n\n"
    for gap in ["", "\n"] {
      let converted = try SubtitleConversion(one + gap + two, file: "film.srt")
      #expect(converted.text == expected && converted.issues.isEmpty)
    }
    let dialogue = "[Events]\n\u{FEFF}Dialogue: 0,0:00:01.00,0:00:02.00,x,,0,0,0,,A\u{FEFF}\n"
    #expect(
      try SubtitleConversion(dialogue, file: "film.ass").text
        == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nA\n\n")
  }

  @Test(
    "overrides of SubStation in WebVTT are removed, and the place that they name is taken",
    arguments: [
      // As ffmpeg and SubRip players read them: 8 is the top, 5 the middle, 1 and 3 left and right.
      ("", "{\\an8}Top line", " line:0", "Top line"), ("", "{\\an5}x", " line:50%", "x"),
      ("", "{\\an7}x", " line:0 align:left", "x"), ("", "{\\an2}x", "", "x"), ("", "{\\a6}x", " line:0", "x"),
      (" align:start", "{\\an9}x", " align:start line:0", "x"), (" line:80%", "{\\an8}x", " line:80%", "x"),
      ("", "<i>{\\an8}\\o/ {sighs} {</i>", " line:0", "<i>\\o/ {sighs} {</i>"),
      ("", "{\\an8}\nx", " line:0", "x"),
      ("", "{\\fad(200,200)\\b1}x", "", "x"),
    ])
  func overrides(settings: String, text: String, expectedSettings: String, expected: String) throws {
    let file = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\(settings)\n\(text)\n"
    let converted = try SubtitleConversion(file, file: "film.vtt")
    #expect(
      converted.text == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\(expectedSettings)\n\(expected)\n\n")
    let again = try SubtitleConversion(converted.text, file: "film.vtt")
    #expect(again.text == converted.text && again.issues.isEmpty)
  }

  @Test(
    "times within an element of TTML are counted from its begin, and parts with times are subtitles of their own",
    arguments: [
      // dash.js 5 (since its report of nested times), TTML2 8.1 and 12.2.
      (
        "<p begin=\"1s\" end=\"7s\"><span begin=\"0s\" end=\"2s\">one</span><br/><span begin=\"2s\" end=\"4s\">two</span></p>",
        [(1, 3, "one"), (3, 5, "two")]
      ),
      (
        "<p><span begin=\"1s\" end=\"2s\">one</span><span begin=\"3s\" end=\"4s\">two</span></p>",
        [(1, 2, "one"), (3, 4, "two")]
      ),
      (
        "<div begin=\"10s\"><p begin=\"1s\" dur=\"2s\">one</p><p begin=\"4s\" end=\"5s\">two</p></div>",
        [(11, 13, "one"), (14, 15, "two")]
      ),
      (
        "<p begin=\"1s\" end=\"9s\">all<span begin=\"1s\" end=\"20s\">late</span></p>",
        [(1, 9, "all"), (2, 9, "late")]
      ),
      (
        "<p begin=\"1s\" end=\"9s\"><span begin=\"1s\" end=\"6s\">a <span begin=\"1s\" end=\"2s\">b</span> c</span> d</p>",
        [(2, 7, "a"), (2, 7, "c"), (3, 4, "b"), (1, 9, "d")]
      ),
      ("<p begin=\"1s\" end=\"9s\">a <span style=\"x\">b</span></p>", [(1, 9, "a b")]),
      (
        "<div timeContainer=\"seq\" begin=\"5s\"><p dur=\"2s\">one</p><p begin=\"1s\" dur=\"3s\">two</p></div>",
        [(5, 7, "one"), (8, 11, "two")]
      ),
      (
        "<p begin=\"2s\" end=\"8s\" timeContainer=\"seq\"><span dur=\"1s\">one</span><span dur=\"2s\">two</span></p>",
        [(2, 3, "one"), (3, 5, "two")]
      ),
    ] as [(String, [(Int, Int, String)])])
  func nested(body: String, cues: [(Int, Int, String)]) throws {
    let file = "<tt xmlns=\"http://www.w3.org/ns/ttml\"><body>\(body)</body></tt>"
    let converted = try SubtitleConversion(file, file: "film.ttml")
    let expected = cues.sorted { $0.0 < $1.0 }.map {
      "00:00:\($0.0.digits(2)).000 --> 00:00:\($0.1.digits(2)).000\n\($0.2)\n\n"
    }
    #expect(converted.text == "WEBVTT\n\n" + expected.joined())
    #expect(converted.issues.isEmpty)
  }

  @Test("elements of TTML that are nested without end cost no more than others", .timeLimit(.minutes(5)))
  func deep() throws {
    let spans = String(repeating: "<span begin=\"1s\" end=\"900s\">x", count: 50_000)
    let file = "<tt xmlns=\"http://www.w3.org/ns/ttml\"><body><p begin=\"1s\" end=\"999s\">\(spans)"
    let converted = try? SubtitleConversion(file, file: "film.ttml")
    #expect(converted.map { $0.count < 50_000 } ?? true)
  }
}
