import CastProtocol
import CastqPlaylists
import CastqText
import Testing

@Suite struct PlaylistReaderTests {
  @Test("nested lists are taken up where they are named, with their own names and bases")
  func nested() {
    var loader = MemoryLoader(media: ["a.mp4", "sub/b.mp4", "sub/deep/c.mp4", "z.mp4"])
    loader.add("lobby.m3u", "a.mp4\nsub/more.m3u\n#CASTQ: start=1\nsub/more.m3u\nz.mp4\n")
    loader.add("sub/more.m3u", "#CASTQ-QUEUE: repeat=all\nb.mp4\ndeep/last.m3u8\ngone.mp4\n")
    loader.add("sub/deep/last.m3u8", "c.mp4\n../../a.mp4\n")
    let parsed = loader.read("lobby.m3u")
    let once = ["file:///media/sub/b.mp4", "file:///media/sub/deep/c.mp4", "file:///media/a.mp4"]
    #expect(parsed.urls == ["file:///media/a.mp4"] + once + once + ["file:///media/z.mp4"])
    #expect(
      parsed.issues.map(\.description) == [
        "sub/more.m3u:4:1: no such file: gone.mp4",
        "lobby.m3u:4:1: warning: #CASTQ applies to one entry, not to a list; put it into the list",
        "sub/more.m3u:4:1: no such file: gone.mp4",
      ])
    #expect(parsed.playlist.drafts[2].source == SourceLocation(file: "sub/deep/last.m3u8", line: 1))
    #expect(parsed.playlist.repeatMode == nil)
  }

  @Test("a list that includes itself is told so, also through a link, and the rest is read")
  func cycles() {
    var loader = MemoryLoader(media: ["x.mp4"])
    loader.add("a.m3u", "b.m3u\na.m3u\nx.mp4\n")
    loader.add("b.m3u", "./a.m3u\nlink/a.m3u\n")
    loader.links = ["/media/link": "/media"]
    let parsed = loader.read("a.m3u")
    #expect(
      parsed.issues.map(\.description) == [
        "b.m3u:1:1: the playlist includes itself: a.m3u → b.m3u → a.m3u",
        "b.m3u:2:1: the playlist includes itself: a.m3u → b.m3u → link/a.m3u",
        "a.m3u:2:1: the playlist includes itself: a.m3u → a.m3u",
      ])
    #expect(parsed.urls == ["file:///media/x.mp4"])
  }

  @Test("lists nest eight deep and no deeper")
  func depth() {
    var loader = MemoryLoader(media: ["x.mp4"])
    for level in 1...9 { loader.add("\(level).m3u", "x.mp4\n\(level + 1).m3u\n") }
    let parsed = loader.read("1.m3u")
    #expect(parsed.playlist.drafts.count == 8)
    #expect(parsed.issues.map(\.description) == ["8.m3u:2:1: playlists are nested more than 8 deep"])
    #expect(parsed.issues.map(\.kind) == [.limit])
  }

  @Test("lists that name each other many times stay affordable")
  func explosion() {
    var loader = MemoryLoader(media: ["x.mp4"])
    for level in 1...8 { loader.add("\(level).m3u", String(repeating: "\(level + 1).m3u\n", count: 10)) }
    loader.add("8.m3u", "x.mp4\n")
    let parsed = loader.read("1.m3u")
    #expect(parsed.playlist.drafts.count < 1000)
    #expect(parsed.issues.count <= 1001)
    #expect(parsed.issues.first?.message == "more than 1000 playlists and directories in one call")
  }

  @Test("more entries than the limit are left out, and it is said once")
  func entryLimit() {
    var limits = PlaylistLimits()
    limits.entries = 3
    let loader = MemoryLoader(
      ["a.m3u": "x.mp4\ngone.mp4\nx.mp4\nx.mp4\nx.mp4\n", "b.m3u": "x.mp4\n"], media: ["x.mp4"])
    let parsed = loader.read("a.m3u", "b.m3u", limits: limits)
    #expect(parsed.playlist.drafts.count == 2)
    #expect(
      parsed.issues.map(\.description) == [
        "a.m3u:2:1: no such file: gone.mp4",
        "a.m3u:4:1: more than 3 entries; this one and the rest were left out",
        "b.m3u:1:1: more than 3 entries; this one and the rest were left out",
      ])
  }

  @Test(
    "an HLS playlist is media, wherever it is named",
    arguments: ["#EXT-X-TARGETDURATION:6", "#EXT-X-STREAM-INF:BANDWIDTH=1", "#EXT-X-MEDIA-SEQUENCE:0"])
  func manifests(tag: String) {
    let text = "#EXTM3U\n\(tag)\n#EXTINF:6,\nseg0.ts\nseg1.ts\n"
    var loader = MemoryLoader(["live.m3u8": text, "old.m3u": text], web: ["http://h/x.m3u8": text])
    loader.add("list.m3u", "#EXTINF:9,Live\nlive.m3u8\nold.m3u\nhttp://h/never-asked.m3u8\n")
    let parsed = loader.read("live.m3u8", "http://h/x.m3u8", "list.m3u")
    #expect(parsed.messages == [])
    #expect(
      parsed.urls == [
        "file:///media/live.m3u8", "http://h/x.m3u8", "file:///media/live.m3u8", "file:///media/old.m3u",
        "http://h/never-asked.m3u8",
      ])
    #expect(parsed.playlist.drafts.allSatisfy { $0.media.contentType == "application/x-mpegurl" })
    #expect(parsed.titles == [nil, nil, "Live", nil, nil])
    #expect(parsed.playlist.drafts.map { $0.source?.line } == [nil, nil, 2, 3, 4])
  }

  @Test(
    "what a server calls sound, film or picture is that, whatever its name; what it calls a list, or nothing known, is a list",
    arguments: [
      ("audio/mpeg", "audio/mpeg"), ("Video/MP4; x=y", "video/mp4"), ("image/png", "image/png"),
      ("audio/x-mpegurl", nil), ("audio/mpegurl; charset=utf-8", nil), ("text/plain", nil), ("audio/", nil),
      (nil, nil),
    ])
  func contentTypes(type: String?, media: String?) {
    var loader = MemoryLoader()
    loader.web["http://h/x.m3u"] = FetchedPlaylist(
      bytes: Array("a.webm\n".utf8), address: "http://h/x.m3u", contentType: type)
    let parsed = loader.read("http://h/x.m3u")
    #expect(parsed.playlist.drafts.map(\.media.contentType) == [media ?? "video/webm"])
    #expect(parsed.urls == [media == nil ? "http://h/a.webm" : "http://h/x.m3u"])
  }

  @Test(
    "a stream that cannot be fetched is taken with a warning; one that is too large for a list is an error")
  func unreachableStreams() {
    let loader = MemoryLoader(web: ["http://h/large.m3u8": String(repeating: "#\n", count: 100)])
    var limits = PlaylistLimits()
    limits.fileBytes = 100
    let parsed = loader.read("http://h/gone.m3u8", "http://h/large.m3u8", limits: limits)
    #expect(parsed.urls == ["http://h/gone.m3u8"])
    #expect(parsed.playlist.drafts.map(\.media.contentType) == ["application/x-mpegurl"])
    #expect(parsed.issues.map(\.severity) == [.warning, .error])
  }

  @Test("a list of the web is asked for once, in the order of reading, with those that follow it")
  func order() {
    let lists = [
      "http://h/top.m3u": "a.m3u\nfilm.mp4\nb.m3u\nlive.m3u8\nc.m3u\nd.m3u\n",
      "http://h/a.m3u": "b.m3u\n",
    ]
    var reading = PlaylistReader(loader: MemoryLoader()).reading(["http://h/top.m3u"])
    var requests: [WebRequest] = []
    while let request = reading.next() {
      #expect(reading.next() == request, "nothing is read before it is supplied")
      requests.append(request)
      let text = lists[request.address] ?? "\(requests.count).mp4\n"
      reading.supply(.success(FetchedPlaylist(bytes: Array(text.utf8), address: request.address)))
    }
    #expect(
      requests.map(\.address) == [
        "http://h/top.m3u", "http://h/a.m3u", "http://h/b.m3u", "http://h/b.m3u", "http://h/c.m3u",
        "http://h/d.m3u",
      ])
    #expect(requests.map(\.following.count) == [0, 3, 0, 2, 1, 0])
    #expect(
      reading.result.playlist.drafts.map(\.media.url) == [
        "http://h/3.mp4", "http://h/film.mp4", "http://h/4.mp4", "http://h/live.m3u8", "http://h/5.mp4",
        "http://h/6.mp4",
      ])
  }

  @Test("a list from the network is resolved against its final address and may not name local files")
  func network() {
    var loader = MemoryLoader(
      media: ["a.mp4"], web: ["http://h/lists/sub.m3u": "c.mp4\n"])
    loader.web["http://h/list.m3u"] = FetchedPlaylist(
      bytes: Array(
        "a.mp4\n/b.mp4\nfile:///media/a.mp4\nC:\\a.mp4\nsub.m3u\n#CASTQ: tracks=file:///etc/passwd:en\nd.mp4\n"
          .utf8),
      address: "http://h/lists/now.m3u")
    let parsed = loader.read("http://h/list.m3u", "http://h/gone.m3u")
    #expect(
      parsed.urls == [
        "http://h/lists/a.mp4", "http://h/b.mp4", "http://h/lists/c.mp4", "http://h/lists/d.mp4",
      ])
    #expect(
      parsed.issues.map(\.description) == [
        "http://h/list.m3u:3:1: a playlist from the network may not name local files: file:///media/a.mp4; download the playlist first if you trust it",
        "http://h/list.m3u:4:1: C:\\a.mp4 is a path of Windows; write a path of this machine or an http address",
        "http://h/list.m3u:6:16: a playlist from the network may not name local files: file:///etc/passwd; download the playlist first if you trust it",
        "http://h/gone.m3u:1:1: cannot fetch http://h/gone.m3u: 404 Not Found",
      ])
    #expect(parsed.issues.last?.kind == .unreadable)
  }

  @Test("sources are media, lists, directories and addresses in one order")
  func sources() {
    let loader = MemoryLoader(
      ["l.m3u": "#PLAYLIST:L\nb.mp4\n", "m.m3u": "#PLAYLIST:M\n#CASTQ-QUEUE: shuffle=yes\n"],
      media: ["a.mp4", "b.mp4", "d/c.mp4"])
    let parsed = loader.read("a.mp4", "l.m3u", "d", "http://h/e.webm", "m.m3u", "./a.mp4")
    #expect(
      parsed.playlist.drafts.map(\.source) == [
        SourceLocation(file: "a.mp4"), SourceLocation(file: "l.m3u", line: 2),
        SourceLocation(file: "d/c.mp4"),
        SourceLocation(file: "http://h/e.webm"), SourceLocation(file: "./a.mp4"),
      ])
    #expect(parsed.messages == [])
    #expect(parsed.playlist.name == "L" && parsed.playlist.isShuffled == true)
  }

  @Test(
    "a page of a video site without a resolver is refused with the line for the configuration; the rest of the list is kept",
    arguments: [
      ("https://www.youtube.com/watch?v=x", "youtube.com, youtu.be"),
      ("https://youtu.be/x", "youtube.com, youtu.be"), ("http://vimeo.com/12", "vimeo.com"),
    ])
  func videoSite(address: String, hosts: String) throws {
    let loader = MemoryLoader(["l.m3u": "\(address)\na.mp4\n"], media: ["a.mp4"])
    let parsed = loader.read("l.m3u")
    let shown = address.replacing("v=x", with: "…")
    #expect(
      parsed.issues.map(\.description) == [
        "l.m3u:1:1: \(shown) is a page of a video site, and no resolver is configured for it; install yt-dlp, and add to the configuration: resolvers: [{match: [\(hosts)], run: yt-dlp}]"
      ])
    #expect(parsed.issues.map(\.severity) == [.error])
    #expect(parsed.playlist.drafts.map(\.media.url) == ["file:///media/a.mp4"])
    // Media that such a site serves have a name that shows it.
    #expect(loader.read("https://player.vimeo.com/external/1.hd.mp4").issues.isEmpty)
    #expect(loader.read("https://notyoutube.com/x.mp4", "https://vimeo.com.example/x.mp4").issues.isEmpty)
  }

  @Test(
    "a source that cannot be used says so",
    arguments: [
      ("gone.m3u", "no such file: gone.m3u", .missingSource),
      ("closed.m3u", "closed.m3u:1:1: cannot read closed.m3u: permission denied", .unreadable),
      (
        "notes.txt",
        "unknown kind of media: notes.txt; if receivers can play it, name the type, as in --type video/mp4",
        .content
      ),
      (
        "rtsp://h/x",
        "rtsp://h/x:1:1: a receiver cannot play rtsp addresses; it plays http and https; convert the stream, or name a file",
        .content
      ),
    ] as [(String, String, PlaylistIssue.Kind)])
  func badSource(source: String, message: String, kind: PlaylistIssue.Kind) {
    var loader = MemoryLoader(media: ["closed.m3u", "notes.txt"])
    loader.unreadable = ["/media/closed.m3u"]
    let parsed = loader.read(source)
    #expect(parsed.issues.map(\.description) == [message])
    #expect(parsed.issues.map(\.kind) == [kind])
    #expect(parsed.playlist.drafts.isEmpty)
  }

  @Test(
    "standard input is told by its first bytes, or by the name given",
    arguments: [
      ("#EXTM3U\na.mp4\n", nil, nil), ("\u{FEFF}\n a.mp4\n", nil, nil), ("http://h/a.mp4\n", nil, nil),
      ("[playlist]\nFile1=a.mp4", nil, nil),
      (
        "<?xml version=\"1.0\"?><playlist><trackList><track><location>a.mp4</location></track></trackList></playlist>",
        nil, nil
      ),
      ("{\"entries\":[\"a.mp4\"]}", nil, nil), ("---\nentries: [a.mp4]\n", nil, nil),
      ("entries:\n- a.mp4\n", nil, nil), ("- a.mp4", nil, nil),
      ("a.mp4\n", .xspf, "no element `playlist`, which holds the tracks in XSPF"),
      ("entries: a\na.mp4", .m3u, "no such file: entries: a"),
      ("", nil, "the format of standard input is unknown"),
      ("\u{0}\u{1}", nil, "the format of standard input is unknown"),
      ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n", nil, "an HLS playlist on standard input has no address"),
    ] as [(String, PlaylistFormat?, String?)])
  func standardInput(text: String, format: PlaylistFormat?, message: String?) {
    var loader = MemoryLoader(media: ["a.mp4"])
    loader.standardInput = Array(text.utf8)
    let parsed = loader.read("-", format: format)
    #expect(parsed.issues.map(\.message) == (message.map { [$0] } ?? []))
    #expect(parsed.playlist.drafts.count == (message == nil || format == .m3u ? 1 : 0))
    #expect(parsed.playlist.drafts.allSatisfy { $0.source?.file == "-" })
  }
}
