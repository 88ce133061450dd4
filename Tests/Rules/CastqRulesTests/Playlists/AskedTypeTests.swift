import CastProtocol
import CastqPlaylists
import CastqText
import Testing

/// Addresses that do not show what they are, and servers that say it.
@Suite struct AskedTypeTests {
  private func read(_ address: String, _ answer: WebAnswer?) -> ParsedPlaylist {
    var loader = MemoryLoader(["list.m3u": address], web: [address: "#EXTM3U\na.mp3\n"])
    loader.answers = answer.map { [address: $0] } ?? [:]
    return loader.read("list.m3u")
  }

  @Test(
    "the server's type decides, parameters apart",
    arguments: [
      ("Video/MP4; codecs=avc1", "video/mp4"), ("audio/ogg", "audio/ogg"), ("image/jpeg", "image/jpeg"),
      ("application/dash+xml", "application/dash+xml"), ("text/html; charset=utf-8", "text/html"),
      ("application/octet-stream", "video/mp4"), ("text/plain", "video/mp4"), ("nonsense", "video/mp4"),
      ("audio/x-mpegurl", "audio/mpeg"),
    ])
  func types(sent: String, type: String) throws {
    let parsed = read("http://h/listen?id=1", WebAnswer(contentType: sent))
    #expect(parsed.playlist.drafts.map(\.media.contentType) == [type], "\(parsed.messages)")
  }

  @Test(
    "what a server calls neither media nor a list is foreign, unless it only knows no type",
    arguments: [
      ("application/zip", true), ("text/html", true), ("text/plain", true), ("application/json", true),
      ("application/octet-stream", false), ("binary/octet-stream", false), ("video/mp4", false),
      ("application/dash+xml", false), ("audio/mpegurl", false), (nil, false),
    ])
  func foreign(type: String?, isForeign: Bool) {
    #expect(WebAnswer(contentType: type).isForeign == isForeign)
  }

  @Test("only sound without a length is live")
  func endless() {
    for (type, stream) in [("audio/mpeg", MediaStreamType.live), ("video/mp4", .buffered)] {
      let parsed = read("http://h/stream", WebAnswer(contentType: type, isEndless: true))
      #expect(parsed.playlist.drafts.map(\.media.streamType) == [stream])
      #expect(parsed.issues == [])
    }
    #expect(
      read("http://h/song", WebAnswer(contentType: "audio/mpeg")).playlist.drafts.map(\.media.streamType) == [
        .buffered
      ])
  }

  @Test(
    "a list of castq's own format knows live sound as well, unless the entry says something else",
    arguments: ["", "    stream: buffered\n"])
  func native(said: String) {
    var loader = MemoryLoader(["list.yaml": "castq: 1\nentries:\n  - url: http://h/stream\n\(said)"])
    loader.answers = ["http://h/stream": WebAnswer(contentType: "audio/mpeg", isEndless: true)]
    let drafts = loader.read("list.yaml").playlist.drafts
    #expect(drafts.map(\.media.streamType) == [said.isEmpty ? .live : .buffered])
    #expect(drafts.map(\.media.contentType) == ["audio/mpeg"])
  }

  @Test(
    "without an answer it is assumed, and the reason is named; nobody is asked of what the name or the list says"
  )
  func assumed() {
    #expect(read("http://h/x", nil).messages.first?.contains("(no route); video/mp4 is assumed") == true)
    for address in ["http://h/x.mp3", "http://h/x.m3u8", "#CASTQ: type=audio/flac\nhttp://h/x"] {
      var loader = MemoryLoader(["list.m3u": address])
      loader.answers = [:]
      #expect(loader.read("list.m3u").issues == [], "\(address)")
    }
  }

  @Test(
    "a source is what its server sends, whatever it is called; a list goes before each name, and media before that of a page",
    arguments: [
      ("tv.mp3", "application/octet-stream", "#EXTM3U\n", ["http://h/a.mp3 audio/mpeg"]),
      ("tv.mp4", "audio/x-mpegurl", "", ["http://h/a.mp3 audio/mpeg"]),
      ("tv.html", "text/html", "[playlist]\n", ["http://h/a.mp3 audio/mpeg"]),
      ("tv.htm", "text/html", "#EXTM3U\n", ["http://h/a.mp3 audio/mpeg"]),
      ("tv.jpg", "text/plain", "http://h/a.mp3\n", ["http://h/a.mp3 audio/mpeg"]),
      ("tv.html", "text/html", "<!DOCTYPE html>", ["http://h/tv.html text/html"]),
      ("tv.html", "video/mp4", "", ["http://h/tv.html video/mp4"]),
      ("tv.html", nil, "", ["http://h/tv.html text/html"]),
      ("tv.ts", nil, "#EXTM3U\n#EXT-X-TARGETDURATION:6\n", ["http://h/tv.ts application/x-mpegurl"]),
      // Devices are told what the name says, as servers call films anything.
      ("tv.mp3", "audio/aac", "ID3", ["http://h/tv.mp3 audio/mpeg"]),
      ("tv.webm", "video/mp4", "", ["http://h/tv.webm video/webm"]),
      ("tv.mp3", "application/zip", "\u{0}", ["http://h/tv.mp3 audio/mpeg"]),
    ] as [(String, String?, String, [String])])
  func misnamed(name: String, type: String?, head: String, entries: [String]) {
    let list =
      head == "[playlist]\n"
      ? "[playlist]\nFile1=http://h/a.mp3\n" : "#EXTM3U\nhttp://h/a.mp3\n"
    var loader = MemoryLoader(web: ["http://h/" + name: list])
    loader.answers = ["http://h/" + name: WebAnswer(contentType: type, head: Array(head.utf8))]
    let parsed = loader.read("http://h/" + name)
    #expect(parsed.playlist.drafts.map { "\($0.media.url) \($0.media.contentType ?? "-")" } == entries)
    #expect(parsed.issues.isEmpty, "\(parsed.messages)")
    // Nothing is made of an address that cannot be asked but what its name says.
    loader.answers = [:]
    let silent = loader.read("http://h/" + name)
    #expect(silent.urls == ["http://h/" + name] && silent.issues.isEmpty)
  }

  @Test("in a list pages are asked for, and media are what their names say")
  func misnamedInList() {
    var loader = MemoryLoader(
      ["list.m3u": "http://h/a.mp3\nhttp://h/b.html\nhttp://h/c.mp4\n"],
      web: ["http://h/b.html": "#EXTM3U\nhttp://h/d.mp3\n"])
    let list = WebAnswer(contentType: "audio/x-mpegurl", head: Array("#EXTM3U\n".utf8))
    loader.answers = ["http://h/a.mp3": list, "http://h/b.html": list, "http://h/c.mp4": list]
    #expect(loader.read("list.m3u").urls == ["http://h/a.mp3", "http://h/d.mp3", "http://h/c.mp4"])
  }

  @Test("where pages in a list are not asked for, that is said once in the list")
  func unaskedPages() {
    let loader = MemoryLoader([
      "list.m3u": "http://h/a.mp3\nhttp://h/b.html\nhttp://h/c.htm\n#CASTQ: type=text/html\nhttp://h/d.html\n"
    ])
    func read(_ asking: ServerAsking) -> ParsedPlaylist {
      var reading = PlaylistReader(loader: loader, asking: asking).reading(["list.m3u"])
      #expect(reading.next() == nil)
      return reading.result
    }
    let words =
      "2:1: note: what is called a web page is asked for when the list is enqueued; check does so with --online"
    #expect(read(.aboutSources).messages == [words] && read(.nobody).issues.isEmpty)
    #expect(read(.aboutSources).urls.count == 4)
  }

  @Test("a page in the place of a film and a list that is not read are named")
  func refused() {
    var loader = MemoryLoader()
    loader.answers = [
      "http://h/a.mp4": WebAnswer(contentType: "text/html", head: Array("<html>".utf8)),
      "http://h/b.mp3": WebAnswer(contentType: "audio/mpeg", head: Array("<asx>".utf8)),
    ]
    let parsed = loader.read("http://h/a.mp4", "http://h/b.mp3")
    #expect(parsed.urls == ["http://h/a.mp4"])
    #expect(
      parsed.issues.map { "\($0.severity) \($0.message)" } == [
        "warning its server sends a web page; it is played as video/mp4",
        "error it is a list of a kind that is not read: ASX",
      ])
  }

  @Test("of many addresses only the first are asked, and the next ones are named in advance")
  func bounded() {
    let addresses = (1...100).map { "http://h\($0)/x" }
    var loader = MemoryLoader(["list.m3u": addresses.joined(separator: "\n")])
    loader.answers = Dictionary(
      uniqueKeysWithValues: addresses.map { ($0, WebAnswer(contentType: "audio/mpeg")) })
    let types = loader.read("list.m3u").playlist.drafts.map(\.media.contentType)
    #expect(types.count { $0 == "audio/mpeg" } == 64 && types.count == 100)
    var reading = PlaylistReader(loader: loader, asking: .aboutAll).reading(["list.m3u"])
    #expect(reading.next()?.following.map(\.address) == ["http://h2/x", "http://h3/x", "http://h4/x"])
  }

  @Test("a server that says nothing is asked once; what an address was outlasts the silence of its server")
  func askedServers() {
    var asked = AskedServers()
    asked.heard(WebAnswer(contentType: "audio/mpeg"), about: "http://h/radio")
    #expect(asked.known("http://h/other") == nil)
    asked.heardNothing(.failed("no route"), about: "http://H:80/gone")
    asked.heardNothing(.failed("no route"), about: "http://h/gone")
    #expect(asked.known("http://h/radio") == .success(WebAnswer(contentType: "audio/mpeg")))
    guard case .failure(let error)? = asked.known("http://h/other") else {
      Issue.record("it would be asked again")
      return
    }
    #expect(error.message.hasSuffix("no route"))
    #expect(asked.known("http://i/x") == nil)
    #expect(asked.lasting.known("http://h/other") == nil)
    #expect(asked.lasting.known("http://h/radio") == .success(WebAnswer(contentType: "audio/mpeg")))
  }

  @Test("each server is asked in as many lanes as are allowed, and none twice")
  func lanes() {
    func need(_ address: String) -> EntryDraft {
      EntryDraft(media: MediaInformation(contentID: address, contentType: "video/mp4"))
    }
    let needs = WebNeed.all(of: ["a/1", "b/1", "a/2", "a/3", "a/4", "c/1"].map { need("http://\($0)") })
    #expect(WebNeed.lanes(needs, perServer: 1) == [[0, 2, 3, 4], [1], [5]])
    #expect(WebNeed.lanes(needs, perServer: 3) == [[0, 4], [2], [3], [1], [5]])
    #expect(WebNeed.lanes(needs, perServer: 0) == WebNeed.lanes(needs, perServer: 1))
    #expect(WebNeed.lanes([], perServer: 2) == [])
  }

  @Test("an address is needed once, for all that name it; files are not needed of the web")
  func needs() {
    var media = MediaInformation(contentID: "http://H:80/a.mp4", contentType: "video/mp4")
    media.mediaTracks = [
      MediaTrack(
        identifier: 1, kind: .text, contentIdentifier: "https://u:p@t/s.vtt", contentType: "text/vtt")
    ]
    let film = EntryDraft(media: media, source: SourceLocation(file: "l", line: 3))
    let file = EntryDraft(media: MediaInformation(contentID: "file:///a.mp4", contentType: "video/mp4"))
    let again = EntryDraft(media: media, source: SourceLocation(file: "l", line: 9))
    let needs = WebNeed.all(of: [film, file, again])
    #expect(needs.map(\.address) == ["http://H:80/a.mp4", "https://u:p@t/s.vtt"])
    #expect(needs.map { $0.places.map(\.source.line) } == [[3, 9], [3, 9]])
    #expect(needs.map { WebNeed.server(of: $0.address) } == ["h:80", "t"])
    let issues = needs[1].issues(.failure(.failed("404 Not Found")))
    #expect(issues.map(\.line) == [3, 9] && issues.allSatisfy { $0.severity == .error })
    #expect(!issues.map(\.description).joined().contains("u:p"))
  }
}
