import CastProtocol
import CastqPlaylists
import CastqText
import Testing

/// Folders as sources: what of them is played, and in which order.
struct FolderTests {
  private func files(_ parsed: ParsedPlaylist) -> [String?] { parsed.playlist.drafts.map { $0.source?.file } }

  private static let films: MemoryLoader = {
    var loader = MemoryLoader(
      ["films/hls.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"],
      media: [
        "films/10.mp4", "films/2.mp4", "films/.hidden.mp4", "films/.git/x.mp4", "films/a/1.mp4",
        "films/b.txt", "films/c.JPG",
      ])
    loader.links = ["/media/films/loop": "/media/films", "/media/films/a/up": "/media"]
    loader.add("other.mp4", "")
    return loader
  }()

  @Test("a folder gives its media in natural order, without hidden files, and leaves its folders alone")
  func oneLevel() {
    let parsed = Self.films.read("films")
    #expect(parsed.messages == [])
    #expect(files(parsed) == ["films/2.mp4", "films/10.mp4", "films/c.JPG", "films/hls.m3u8"])
  }

  @Test("on request its folders stand in the place of their names, each once")
  func recursive() {
    var loader = Self.films
    let parsed = loader.read("films", descends: true)
    #expect(parsed.messages == [])
    #expect(
      files(parsed) == [
        "films/2.mp4", "films/10.mp4", "films/a/1.mp4", "films/a/up/other.mp4", "films/c.JPG",
        "films/hls.m3u8",
      ])
    loader.add("list.m3u", "films/a\n")
    #expect(
      loader.read("list.m3u").playlist.drafts.first?.source == SourceLocation(file: "list.m3u", line: 1))
  }

  @Test("a list in a folder is followed where it stands, and what it names is not taken twice")
  func lists() {
    let loader = MemoryLoader(
      ["d/b.m3u": "#EXTINF:9,Named\nc.mp3\n../x.mp3\ngone.mp3\n"],
      media: ["d/a.mp3", "d/c.mp3", "d/e.mp3", "x.mp3"])
    let parsed = loader.read("d")
    #expect(
      parsed.urls
        == ["a", "c", "x", "e"].map { $0 == "x" ? "file:///media/x.mp3" : "file:///media/d/\($0).mp3" })
    #expect(parsed.playlist.drafts[1].source == SourceLocation(file: "d/b.m3u", line: 2))
    #expect(parsed.playlist.drafts[1].media.metadata?.title == "Named")
    #expect(parsed.issues.map(\.description) == ["d/b.m3u:4:1: no such file: gone.mp3"])
  }

  @Test("the settings of a list in a folder are not those of the queue, and one that names its folder ends")
  func settings() {
    let loader = MemoryLoader(
      ["d/l.m3u": "#PLAYLIST:L\n#CASTQ-QUEUE: shuffle=yes\n../d\n"], media: ["d/a.mp4"])
    let parsed = loader.read("d")
    #expect(parsed.playlist.name == nil && parsed.playlist.isShuffled == nil)
    #expect(parsed.urls == ["file:///media/d/a.mp4"])
    #expect(parsed.issues.map(\.message) == ["the playlist includes itself: d/l.m3u → d → d/l.m3u"])
  }

  @Test(
    "pictures that belong to media are left out; in a folder of pictures alone they are slides",
    arguments: [
      (["a.mp3", "Folder.jpg", "AlbumArtSmall.jpg", "cover.png", "AlbumArt_{1-2}_Large.jpg"], ["a.mp3"]),
      (
        ["film.mkv", "film.jpg", "film-poster.jpg", "fanart.jpg", "holiday.jpg"], ["film.mkv", "holiday.jpg"]
      ),
      (["cover.png", "logo.png", "Folder.jpg", "1.jpg"], ["1.jpg", "cover.png", "logo.png"]),
      ([".a.mp3", "poster.jpg"], ["poster.jpg"]),
    ])
  func artwork(names: [String], played: [String]) {
    let parsed = MemoryLoader(media: names.map { "d/\($0)" }).read("d")
    #expect(files(parsed) == played.map { "d/\($0)" })
    #expect(parsed.messages == [])
  }

  @Test("a folder that is too deep, empty or closed says so")
  func trouble() {
    var loader = MemoryLoader(media: [
      "d/1/2/3/4/5/6/7/x.mp4", "d/1/2/3/4/5/6/7/8/y.mp4", "e/notes.txt", "closed/a.mp4",
    ])
    loader.unreadable = ["/media/closed"]
    let parsed = loader.read("d", "e", "closed", descends: true)
    #expect(parsed.urls == ["file:///media/d/1/2/3/4/5/6/7/x.mp4"])
    #expect(
      parsed.issues.map(\.description) == [
        "d:1:1: warning: directories deeper than 8 were left out: d/1/2/3/4/5/6/7/8",
        "e:1:1: no media files in e",
        "closed:1:1: cannot list closed: permission denied",
      ])
    #expect(
      loader.read("d").issues.map(\.description) == [
        "d:1:1: no media files in d; --recursive looks into its folders, too"
      ])
  }

  @Test("an empty name is the folder that castq was started in")
  func emptyName() {
    #expect(
      MemoryLoader(media: ["notes.txt"]).read("").issues.map(\.description) == [":1:1: no media files in "])
    #expect(MemoryLoader(media: ["a.mp4"]).read("").urls == ["file:///media/a.mp4"])
  }

  @Test("more folders than the limit are left out, and it is said once")
  func limit() {
    var limits = PlaylistLimits()
    limits.documents = 3
    let loader = MemoryLoader(media: (1...5).map { "d/\($0)/x.mp4" })
    let parsed = loader.read("d", limits: limits, descends: true)
    #expect(parsed.playlist.drafts.count == 2)
    #expect(parsed.issues.map(\.message) == ["more than 3 playlists and directories in one call"])
  }

  @Test("an HLS stream in a folder is one entry: its segments, older ones and its variants are none")
  func streams() {
    let media = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
    let master =
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nv%202/high.m3u8\n"
    let loader = MemoryLoader(
      [
        "plain/index.m3u8": media + "#EXTINF:6,\nseg8.ts\n#EXTINF:6,\nseg9.ts?token=1\n",
        "parts/index.m3u8": media + "#EXT-X-MAP:URI=\"init.mp4\"\n#EXTINF:6,\n./p/1.m4s\n",
        "whole/film2.m3u8": media + "#EXTINF:6,\n#EXT-X-BYTERANGE:9@0\nfilm2.mp4\n",
        "many/master.m3u8": master, "many/low.m3u8": media + "l1.ts\n",
        "many/v 2/high.m3u8": media + "h1.ts\n",
        "round/a.m3u8": master.replacing("low", with: "b"),
        "round/b.m3u8": master.replacing("low", with: "a"),
      ],
      media: [
        "plain/seg7.ts", "plain/seg8.ts", "plain/seg9.ts", "plain/film.mp4", "plain/seg9.mp4",
        "parts/init.mp4",
        "parts/p/1.m4s", "whole/film1.mp4", "whole/film2.mp4", "many/l1.ts", "many/v 2/h1.ts",
        "many/other.ts",
      ])
    for (folder, expected) in [
      ("plain", ["film.mp4", "index.m3u8", "seg9.mp4"]), ("parts", ["index.m3u8"]),
      ("whole", ["film1.mp4", "film2.m3u8"]), ("many", ["master.m3u8", "other.ts"]),
      ("round", ["a.m3u8", "b.m3u8"]),
    ] {
      let parsed = loader.read(folder, descends: true)
      #expect(parsed.messages == [])
      #expect(files(parsed) == expected.map { "\(folder)/\($0)" })
    }
  }
}
