import CastProtocol
import CastqPlaylists
import CastqText
import Testing

/// Lists of the network that try to have a file of this machine served.
@Suite struct ForeignFileTests {
  private static let files = [
    "file:///etc/hostname", "FILE:///etc/hostname", "File:/etc/hostname", "file://localhost/etc/hostname",
    "file:///media/../etc/hostname", "file:///%65tc/hostname", "file:////etc/hostname",
  ]

  /// Each place of an entry where an address may stand.
  private static let places = [
    "content_id: FILE", "url: http://h/a.mp4\n  content_id: FILE", "url: FILE", "file: FILE",
    "url: http://h/a.mp4\n  images: [FILE]", "url: http://h/a.mp4\n  images: [{url: FILE}]",
    "url: http://h/a.mp4\n  tracks: [{url: FILE, language: en, type: text/vtt}]",
    "url: http://h/a.mp4\n  vmap: FILE", "url: http://h/a.mp4\n  vmap: {url: FILE}",
    "url: http://h/a.mp4\n  breaks: [{position: 1, clips: [{id: c, content_id: FILE}]}]",
    "url: http://h/a.mp4\n  breaks: [{position: 1, clips: [{id: c, url: FILE}]}]",
    "url: http://h/a.mp4\n  clips: [{id: c, url: http://h/c.mp4, content_id: FILE}]",
    "url: http://h/a.mp4\n  clips: [{id: c, url: http://h/c.mp4, poster: FILE}]",
    "url: http://h/a.mp4\n  clips: [{id: c, url: http://h/c.mp4, vast: FILE}]",
    "url: http://h/a.mp4\n  clips: [{id: c, url: http://h/c.mp4, click_through: FILE}]",
  ]

  private static func read(_ list: String, named name: String = "http://h/list.yaml") -> ParsedPlaylist {
    MemoryLoader(media: ["/etc/hostname"], web: [name: list]).read(name)
  }

  private static func isNamed(in playlist: Playlist) -> Bool { "\(playlist)".contains("hostname") }

  @Test("no field of a list of the network may name a file of this machine", arguments: places, files)
  func refused(place: String, file: String) throws {
    let parsed = Self.read("- " + place.replacing("FILE", with: "\"\(file)\"") + "\n- http://h/b.mp4\n")
    #expect(!Self.isNamed(in: parsed.playlist), "\(parsed.playlist)")
    let errors = parsed.issues.filter { $0.severity == .error }
    #expect(errors.count == 1, "\(parsed.issues)")
    let line = place.contains("\n") ? 2 : 1
    #expect(errors.first?.line == line && (errors.first?.column ?? 0) > 3)
    #expect(errors.first?.file == "http://h/list.yaml")
    // What is right in it stays.
    #expect(parsed.urls.last == "http://h/b.mp4")
    #expect(parsed.urls.count == (place.contains("http://h/a.mp4") ? 2 : 1))
    #expect(parsed.playlist.drafts.allSatisfy { $0.origin == .network })
  }

  @Test("neither do fallback lists, lists within lists, and M3U of the network")
  func nested() throws {
    for list in [
      "castq: 1\nentries: [http://h/b.mp4]\nfallback: file:///etc/hostname\n",
      "castq: 1\nentries: [http://h/b.mp4]\nfallback: [{content_id: 'file:///etc/hostname'}]\n",
      "castq: 1\ndefaults: {content_id: 'file:///etc/hostname'}\nentries: [http://h/b.mp4]\n",
    ] {
      let parsed = Self.read(list)
      #expect(!Self.isNamed(in: parsed.playlist))
      #expect(parsed.issues.contains { $0.severity == .error })
    }
    let inner = MemoryLoader(
      ["local.yaml": "- http://h/list.yaml\n- a.mp4\n"], media: ["a.mp4", "/etc/hostname"],
      web: ["http://h/list.yaml": "- {content_id: 'file:///etc/hostname', url: http://h/a.mp4}\n"]
    ).read("local.yaml")
    #expect(inner.playlist.drafts.map(\.origin) == [.network, .local])
    #expect(inner.urls == ["http://h/a.mp4", "file:///media/a.mp4"])
    #expect(inner.playlist.drafts.first?.media.contentID == "http://h/a.mp4")
    let m3u = Self.read(
      "#EXTINF:1 tvg-logo=\"file:///etc/hostname\",x\n#CASTQ: tracks=file:///etc/hostname:en\nhttp://h/a.mp4\n",
      named: "http://h/list.m3u")
    #expect(!Self.isNamed(in: m3u.playlist))
    #expect(m3u.urls == ["http://h/a.mp4"])
  }

  @Test(
    "what this machine's own lists and its command line name is theirs; an identifier is no file even there")
  func local() {
    let loader = MemoryLoader(
      ["own.yaml": "- a.mp4\n- {content_id: 'file:///media/a.mp4', type: video/mp4}\n"],
      media: ["a.mp4", "d/b.mp4"])
    let parsed = loader.read("own.yaml", "a.mp4", "d", "http://h/a.mp4")
    #expect(
      parsed.urls == [
        "file:///media/a.mp4", "file:///media/a.mp4", "file:///media/d/b.mp4", "http://h/a.mp4",
      ])
    #expect(parsed.playlist.drafts.allSatisfy { $0.origin == .local })
    #expect(
      parsed.messages == [
        "2:16: file:///media/a.mp4 is the address of a file, not an identifier; write it as `file`"
      ])
  }

  @Test("what a list of the network wrote is not laundered by exporting and reading it here")
  func laundering() throws {
    var draft = EntryDraft(
      media: MediaInformation(contentID: "file:///etc/hostname", contentType: "video/mp4"))
    var clip = AdBreakClipInfo(identifier: "c")
    clip.contentID = "FILE:///etc/hostname"
    draft.media.adBreakClips = [clip]
    for format in PlaylistFormat.allCases {
      let playlist = Playlist(drafts: [draft])
      let text = PlaylistWriter(playlist, as: format).text
      let again = MemoryLoader(["x.\(format.rawValue)": text], media: ["/etc/hostname"])
        .read("x.\(format.rawValue)")
      #expect(!Self.isNamed(in: again.playlist), "\(text)")
    }
  }

  @Test(
    "an address of a file is known in every spelling that a browser reads",
    arguments: [
      ("file:///a", true), ("FILE:a", true), (" \tfile:/a", true), ("fi\nle:/a", true), ("file", false),
      ("files:/a", false), ("http://h/file:", false), ("", false), ("file-7", false),
    ])
  func spelling(address: String, isFile: Bool) { #expect(FilePath.isURL(address) == isFile) }
}
