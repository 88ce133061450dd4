import Foundation
import Testing

/// Lists as servers, Macs, Windows and MPD have them, from outside.
@Suite("Lists of the web and of other systems", .timeLimit(.minutes(20)))
struct ForeignListTests {
  /// An answer of a server, and what it is.
  struct Answer: Sendable, CustomTestStringConvertible {
    var name = "get"
    var head: String
    var body: String
    /// `NAME TYPE` of each entry.
    var entries: [String]
    var source: String
    var testDescription: String { source }
  }

  private static let m3u = "#EXTM3U\nhttp://h.example/a.mp3\n"
  private static let sound = ["a.mp3 audio/mpeg"]
  private static let xspf =
    "<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList><track><location>http://h.example/a.mp3</location></track></trackList></playlist>"

  @Test(
    "what an address is, its first bytes show before its type and its name; check says what enqueue takes",
    arguments: [
      Answer(
        head: "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"tv.m3u\"",
        body: m3u, entries: sound, source: "IPTV panels: get.php?type=m3u_plus"),
      Answer(
        head: "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"tv.m3u\"",
        body: "a.mp3\n", entries: sound, source: "RFC 6266: the name alone"),
      Answer(
        head:
          "Content-Type: text/html\nContent-Disposition: attachment; filename=x.mp4; filename*=UTF-8''t%C3%A9.m3u",
        body: "a.mp3\n", entries: sound, source: "RFC 6266, 4.3: filename* goes first"),
      Answer(head: "Content-Type: text/plain", body: m3u, entries: sound, source: "#EXTM3U as text"),
      Answer(head: "Content-Type: text/html", body: m3u, entries: sound, source: "#EXTM3U as a page"),
      Answer(head: "X-None: 1", body: m3u, entries: sound, source: "#EXTM3U without a type"),
      Answer(head: "Content-Type: video/mp4", body: m3u, entries: sound, source: "#EXTM3U as a film"),
      Answer(
        head: "Content-Type: application/octet-stream", body: "[playlist]\nFile1=http://h.example/a.mp3\n",
        entries: sound, source: "PLS"),
      Answer(
        head: "Content-Type: text/html", body: "\u{FEFF}\n<?xml version=\"1.0\"?>\n<!-- x -->\n" + xspf,
        entries: sound, source: "XSPF with a mark, a blank line and a comment"),
      Answer(
        head: "Content-Type: text/plain",
        body: "{\"playlist\": {\"track\": [{\"location\": [\"http://h.example/a.mp3\"]}]}}", entries: sound,
        source: "JSPF"),
      Answer(
        head: "Content-Type: text/plain", body: "castq: 1\nentries: [\"http://h.example/a.mp3\"]\n",
        entries: sound, source: "castq's own format"),
      Answer(
        head: "Content-Type: text/plain", body: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n",
        entries: ["get application/x-mpegurl"], source: "RFC 8216: a stream of HLS is a medium"),
      Answer(
        head: "Content-Type: audio/x-mpegurl", body: "\u{0}\u{0}\u{0}\u{20}ftypisom\u{0}\u{0}",
        entries: ["get video/mp4"], source: "a film that is called a list"),
      Answer(
        head: "Content-Type: audio/x-mpegurl", body: "ID3\u{4}\u{0}", entries: ["get audio/mpeg"],
        source: "sound that is called a list"),
      Answer(
        name: "get.m3u", head: "Content-Type: audio/mpeg", body: m3u, entries: sound,
        source: "a list that is called sound"),
      Answer(
        name: "get.m3u", head: "Content-Type: text/html", body: xspf, entries: sound,
        source: "XSPF under the name of M3U"),
      Answer(
        head: "Content-Type: text/html", body: "<!DOCTYPE html><p>#EXTM3U", entries: ["get text/html"],
        source: "a page"),
      Answer(
        head: "Content-Type: application/octet-stream", body: "\u{1}\u{2}", entries: ["get video/mp4"],
        source: "nothing shows it: a film is assumed"),
    ])
  func web(test: Answer) async throws {
    try await QueueTests.with { stage in
      let server = try await WebServer(stage, files: [test.name: test.body, test.name + ".head": test.head])
      let address = "\(server.address)/with/\(test.name)"
      let check = try await stage.castq("check", address)
      let ending = try await stage.castq("enqueue", address)
      #expect(check.exit == 0 && ending.exit == 0, "\(ending.stderr)")
      #expect(check.outLines.map { "castq: " + $0 } == ending.errorLines)
      let document = try Document(try await stage.castq("export", "--format", "json").stdout)
      let entries = document["entries"]?.elements.map { entry in
        let name = entry["url"]?.string?.split(separator: "/").last.map(String.init) ?? "-"
        return "\(name) \(entry["type"]?.string ?? "audio/mpeg")"
      }
      #expect(entries == test.entries)
    }
  }

  @Test("a list of a kind that is not read is named, and is no film", arguments: ["check", "enqueue"])
  func unread(verb: String) async throws {
    try await QueueTests.with { stage in
      let server = try await WebServer(
        stage,
        files: [
          "get": "<ASX version=\"3.0\"><entry><ref href=\"http://h.example/a.mp3\"/></entry></ASX>",
          "get.head": "Content-Type: video/x-ms-asf",
        ])
      let ending = try await stage.castq(verb, "\(server.address)/with/get")
      #expect(ending.exit == 65)
      #expect(
        (ending.stdout + ending.stderr).contains("it is a list of a kind that is not read: ASX; castq reads"))
      #expect(try await stage.json("queue")["entries"]?.elements.isEmpty == true)
    }
  }

  @Test("of the addresses in a list check says that it asks with --online, and then takes what enqueue takes")
  func inList() async throws {
    try await QueueTests.with { stage in
      let server = try await WebServer(
        stage, files: ["get": Self.m3u, "get.head": "Content-Type: application/octet-stream"])
      let list = try stage.file("l.m3u", "\(server.address)/with/get\n")
      let check = try await stage.castq("check", list)
      #expect(check.exit == 0 && check.stdout.contains("(check asks its server with --online)"))
      #expect(try await stage.json("check", list)["issues"]?.elements.count == 1)
      #expect(try await stage.castq("check", "--online", list).stdout.contains("h.example"))
      expectSilence(try await stage.castq("enqueue", list))
    }
  }

  /// `がCafé/Zoë.wav` as a Mac writes it, in decomposed letters, and lists that write it in composed ones.
  @Test(
    "letters are found however they are composed, on the disk and in the list, folders too",
    arguments: [("C", "D"), ("D", "C")], ["m3u8", "pls", "xspf"])
  func composition(forms: (disk: String, list: String), format: String) async throws {
    try await QueueTests.with { stage in
      try stage.tone("tone.wav", seconds: 1)
      let script = """
        import os, sys, unicodedata as u
        disk, form, kind = sys.argv[1:]
        name = "がCafé/Zoë.wav"
        path = u.normalize("NF" + disk, name)
        os.mkdir(os.path.dirname(path)); os.rename("tone.wav", path)
        line = u.normalize("NF" + form, name)
        text = {"m3u8": line + "\\n" + line + "\\n", "pls": "[playlist]\\nFile1=" + line + "\\nFile2=" + line + "\\n",
          "xspf": "<playlist version='1' xmlns='http://xspf.org/ns/0/'><trackList>" +
            ("\\n<track><location>" + line + "</location></track>") * 2 + "</trackList></playlist>"}[kind]
        open("l." + kind, "w", encoding="utf-8").write(text)
        """
      let file = try stage.file("spell.py", script)
      let shell = try await stage.shell(
        "cd '\(stage.folder)'; python3 '\(file)' \(forms.disk) \(forms.list) \(format)"
      ).ended()
      #expect(shell.exit == 0, "\(shell.stderr)")
      let check = try await stage.castq("check", "l.\(format)")
      #expect(check.exit == 0)
      #expect(check.outLines.count == 1, "\(check.stdout)")
      let line = format == "m3u8" ? 1 : 2
      #expect(
        check.stdout.hasPrefix("l.\(format):\(line):")
          && check.stdout.contains(": note: letters are composed in another way"),
        "\(check.stdout)")
      let ending = try await stage.castq("enqueue", "l.\(format)")
      #expect(ending.exit == 0 && ending.errorLines == check.outLines.map { "castq: " + $0 })
      #expect(try await stage.json("queue")["entries"]?.elements.count == 2)
    }
  }

  @Test("a list of Windows plays its files, each rule is said once, and two files are never guessed at")
  func windows() async throws {
    try await QueueTests.with { stage in
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/Music", withIntermediateDirectories: true)
      for name in ["Music/Song.WAV", "top.wav", "Music/two.wav", "Music/TWO.wav"] {
        try stage.tone(name, seconds: 1)
      }
      let text =
        "Music\\Song.WAV\r\n..\\\(FilePathName.last(stage.folder))\\top.wav\r\nmusic\\song.wav\r\nMusic/Two.wav\r\n"
      try stage.file("l.m3u", text)
      let ending = try await stage.castq("enqueue", "l.m3u")
      #expect(ending.exit == 65)
      #expect(ending.errorLines.count == 3, "\(ending.stderr)")
      #expect(ending.stderr.contains("l.m3u:1:1: note: `\\` was read as `/`"))
      #expect(ending.stderr.contains("l.m3u:3:1: note: capitals are others"))
      #expect(ending.stderr.contains("l.m3u:4:1: two files may be meant: "))
      let queue = try await stage.json("queue")["entries"]?.elements ?? []
      #expect(
        queue.map { $0["url"]?.string?.split(separator: "/").last.map(String.init) } == [
          "Song.WAV", "top.wav", "Song.WAV",
        ])
    }
  }

  @Test("times without seconds are moments")
  func moments() async throws {
    try await QueueTests.with { stage in
      // HTML, 2.4.5.7: "global dates and times".
      for time in ["2027-01-11T09:00+01:00", "2027-01-11T08:00Z", "2027-01-11 09:00+0100"] {
        let why = try await stage.castq("why", time, "-d", "lobby")
        #expect(why.exit != 64, "\(why.stderr)")
      }
      expectOneLine(
        try await stage.castq("history", "--since", "09:00Z"), exit: 64, saying: "write 14:00")
    }
  }
}

private enum FilePathName {
  static func last(_ path: String) -> String { (path as NSString).lastPathComponent }
}
