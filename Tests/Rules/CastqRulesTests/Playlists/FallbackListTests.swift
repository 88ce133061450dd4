import CastProtocol
import CastqPlaylists
import CastqText
import Testing

@Suite("A playlist's fallback list")
struct FallbackListTests {
  private func fallback(_ parsed: ParsedPlaylist) -> [String]? { parsed.playlist.fallback?.map(\.media.url) }

  @Test(
    "a list, a folder or a file is named relative to the playlist, in each format",
    arguments: [
      ("sub/list.m3u", "#CASTQ-QUEUE: repeat=all fallback=%\na.mp4\n"),
      ("sub/list.yaml", "fallback: %\nentries: [a.mp4]\n"),
      ("sub/list.json", #"{"fallback": "%", "entries": ["a.mp4"]}"#),
    ])
  func named(name: String, text: String) {
    let expected: [(String, [String])] = [
      ("more/spare.m3u", ["more/x.mp4", "y.mp4"]), ("../spare.yaml", ["z.mp4"]),
      ("more", ["more/x.mp4", "y.mp4"]),
      ("y.mp4", ["y.mp4"]),
    ]
    for (written, urls) in expected {
      var loader = MemoryLoader(media: ["sub/a.mp4", "sub/y.mp4", "sub/more/x.mp4", "z.mp4"])
      loader.add("sub/more/spare.m3u", "x.mp4\n../y.mp4\n")
      loader.add("spare.yaml", "- z.mp4\n")
      loader.add(name, text.replacing("%", with: written))
      let parsed = loader.read(name)
      #expect(parsed.issues == [])
      #expect(parsed.urls == ["file:///media/sub/a.mp4"])
      #expect(fallback(parsed) == urls.map { "file:///media/\(written.hasPrefix("..") ? "" : "sub/")\($0)" })
    }
  }

  @Test("entries may stand in the list itself, and share its defaults")
  func inline() throws {
    var loader = MemoryLoader(media: ["a.mp4", "x.mp4", "y.jpg"])
    loader.add(
      "list.yaml",
      """
      defaults: {preload: 5}
      entries: [a.mp4]
      fallback:
        - x.mp4
        - file: y.jpg
          duration: 4s
      """)
    let parsed = loader.read("list.yaml")
    #expect(parsed.issues == [])
    #expect(fallback(parsed) == ["file:///media/x.mp4", "file:///media/y.jpg"])
    let drafts = try #require(parsed.playlist.fallback)
    #expect(drafts.map { $0.preloadTime?.seconds } == [5, 5])
    #expect(drafts[1].playbackDuration == 4)
    #expect(drafts.map { $0.source?.line } == [4, 5])
    #expect(
      PlaylistWriter(parsed.playlist, as: .m3u).losses.last?.hasPrefix("the fallback list was left out")
        == true)
  }

  @Test("of several lists the first that has one decides; a list within a list has none to give")
  func outermost() {
    var loader = MemoryLoader(media: ["a.mp4", "x.mp4", "y.mp4"])
    loader.add("plain.m3u", "a.mp4\n")
    loader.add("x.m3u", "#CASTQ-QUEUE: fallback=x.mp4\na.mp4\n")
    loader.add("y.m3u", "#CASTQ-QUEUE: fallback=y.mp4\na.mp4\n")
    loader.add("outer.m3u", "x.m3u\n")
    loader.add("nested.m3u", "#CASTQ-QUEUE: fallback=y.m3u\na.mp4\n")
    #expect(fallback(loader.read("plain.m3u")) == nil)
    #expect(fallback(loader.read("plain.m3u", "x.m3u", "y.m3u")) == ["file:///media/x.mp4"])
    #expect(fallback(loader.read("outer.m3u")) == nil)
    #expect(fallback(loader.read("nested.m3u")) == ["file:///media/a.mp4"])
  }

  @Test("what is wrong with it is said at its place, and the list is read all the same")
  func issues() {
    var loader = MemoryLoader(media: ["a.mp4", "x.mp4"])
    loader.add("spare.m3u", "x.mp4\ngone.mp4\n")
    loader.add("empty.m3u", "# nothing\n")
    loader.add("bad.m3u", "gone.mp4\n")
    loader.unreadable = ["/media/secret.m3u"]
    loader.add("secret.m3u", "x.mp4\n")
    let cases: [(name: String, text: String, messages: [String], count: Int)] = [
      ("1.m3u", "#CASTQ-QUEUE: fallback=spare.m3u\na.mp4\n", ["spare.m3u:2:1: no such file: gone.mp4"], 1),
      (
        "2.m3u", "#EXTM3U\n#CASTQ-QUEUE: fallback=gone.m3u\na.mp4\n", ["2.m3u:2:24: no such file: gone.m3u"],
        0
      ),
      ("3.m3u", "#CASTQ-QUEUE: fallback=\na.mp4\n", ["3.m3u:1:23: the fallback list has no name"], -1),
      (
        "4.m3u", "#CASTQ-QUEUE: fallback=empty.m3u\na.mp4\n",
        [
          "4.m3u:1:24: warning: the fallback list is empty; nothing will play when the list cannot"
        ], 0
      ),
      (
        "5.m3u", "#CASTQ-QUEUE: fallback=5.m3u\na.mp4\n",
        ["5.m3u:1:24: the playlist includes itself: 5.m3u → 5.m3u"], 0
      ),
      (
        "6.yaml", "entries: [a.mp4]\nfallback: secret.m3u\n",
        ["6.yaml:2:11: cannot read secret.m3u: permission denied"], 0
      ),
      (
        "7.yaml", "entries: [a.mp4]\nfallback: {file: x.mp4}\n",
        ["7.yaml:2:11: expected a fallback list, found a mapping; write a file, or a list of entries"], -1
      ),
      ("8.m3u", "#CASTQ-QUEUE: fallback=bad.m3u\na.mp4\n", ["bad.m3u:1:1: no such file: gone.mp4"], 0),
    ]
    for (name, text, messages, count) in cases {
      loader.add(name, text)
      let parsed = loader.read(name)
      #expect(parsed.issues.map(\.description) == messages)
      #expect(parsed.urls == ["file:///media/a.mp4"])
      #expect((fallback(parsed)?.count ?? -1) == count, "\(name)")
    }
  }

  @Test("a list from the network may not name local files for it")
  func network() {
    var loader = MemoryLoader(media: ["x.mp4"], web: ["http://h/l/spare.m3u": "b.mp4\nfile:///media/x.mp4\n"])
    for (number, written) in ["file:///media/x.mp4", "spare.m3u"].enumerated() {
      let address = "http://h/l/\(number).m3u"
      loader.web[address] = FetchedPlaylist(
        bytes: Array("#CASTQ-QUEUE: fallback=\(written)\na.mp4\n".utf8), address: address)
    }
    let local = loader.read("http://h/l/0.m3u")
    #expect(fallback(local) == [])
    let advice = "download the playlist first if you trust it"
    #expect(
      local.issues.map(\.description) == [
        "http://h/l/0.m3u:1:24: a playlist from the network may not name local files: file:///media/x.mp4; \(advice)"
      ])
    let remote = loader.read("http://h/l/1.m3u")
    #expect(fallback(remote) == ["http://h/l/b.mp4"])
    #expect(
      remote.issues.map(\.description) == [
        "http://h/l/spare.m3u:2:1: a playlist from the network may not name local files: file:///media/x.mp4; \(advice)"
      ])
  }

  @Test("its entries count against the limits of the whole")
  func limits() {
    var limits = PlaylistLimits()
    limits.entries = 3
    var loader = MemoryLoader(media: ["a.mp4"])
    loader.add("list.m3u", "#CASTQ-QUEUE: fallback=spare.m3u\na.mp4\n")
    loader.add("spare.m3u", "a.mp4\na.mp4\na.mp4\n")
    let parsed = loader.read("list.m3u", limits: limits)
    #expect(parsed.urls.count == 1)
    #expect(fallback(parsed)?.count == 1)
    #expect(parsed.issues.map(\.kind) == [.limit])
  }
}
