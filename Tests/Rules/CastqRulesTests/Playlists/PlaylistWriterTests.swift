import CastProtocol
import CastqPlaylists
import CastqText
import Testing

@Suite struct PlaylistWriterTests {
  private static let loader = MemoryLoader(media: ["a.mp3", "ä & <b>.mp4", "menu.png"])

  private func list(_ text: String) -> Playlist {
    var loader = Self.loader
    loader.add("list.m3u", text)
    let parsed = loader.read("list.m3u")
    #expect(parsed.issues == [])
    return parsed.playlist
  }

  private static let plain = """
    #EXTM3U
    #PLAYLIST:Mix & <match>
    #EXTINF:271.5,Tom & "Jerry" <3
    #CASTQ: artist=Band album="Record & Co" subtitle="An annotation" image=http://h/a.jpg
    a.mp3
    #EXTINF:20,Menu
    menu.png
    ä & <b>.mp4
    http://h/live.m3u8?a=1&b=2
    """

  @Test("what a format holds comes back from it", arguments: [PlaylistFormat.xspf, .jspf, .m3u, .m3u8])
  func comesBack(format: PlaylistFormat) {
    var playlist = list(Self.plain)
    playlist.drafts[0].media.metadata?.values["trackNumber"] = format == .m3u || format == .m3u8 ? nil : 7
    let writer = PlaylistWriter(playlist, as: format)
    #expect(writer.losses == [], "\(writer.text)")
    var loader = Self.loader
    loader.add("again.\(format.rawValue)", writer.text)
    let again = loader.read("again.\(format.rawValue)")
    #expect(again.issues == [], "\(writer.text)")
    #expect(again.playlist.withoutPlaces == playlist.withoutPlaces, "\(writer.text)")
  }

  @Test("PLS holds addresses, titles and lengths")
  func pls() {
    let writer = PlaylistWriter(list(Self.plain), as: .pls)
    #expect(
      writer.text == """
        [playlist]
        File1=/media/a.mp3
        Title1=Tom & "Jerry" <3
        Length1=271.5
        File2=/media/menu.png
        Title2=Menu
        Length2=20
        File3=/media/ä & <b>.mp4
        File4=http://h/live.m3u8?a=1&b=2
        NumberOfEntries=4
        Version=2

        """)
    #expect(
      writer.losses == [
        "PLS does not hold name of the list", "PLS does not hold images: entry 1",
        "PLS does not hold metadata album_name: entry 1", "PLS does not hold metadata artist: entry 1",
        "PLS does not hold subtitle: entry 1",
      ])
  }

  @Test("a live station is one in PLS, and comes back as one")
  func liveStation() {
    let playlist = list("#EXTINF:-1,Station\n#CASTQ: type=audio/mpeg\nhttp://ice.example:8000/high\n")
    #expect(playlist.drafts.first?.media.streamType == .live)
    let writer = PlaylistWriter(playlist, as: .pls)
    #expect(writer.text.contains("Length1=-1\n") && writer.losses == [])
  }

  @Test("a line of M3U that would have neither a length nor a title is left out")
  func untitled() {
    let writer = PlaylistWriter(list("http://h/a.mp4\n#EXTINF:-1,Two\nhttp://h/b.mp4\n"), as: .m3u8)
    #expect(
      writer.text.contains("http://h/a.mp4\n") && writer.text.contains("#EXTINF:-1,Two\n"), "\(writer.text)")
    #expect(!writer.text.contains("#EXTINF:-1,\n"), "\(writer.text)")
  }

  @Test("the cut of an entry stands where VLC looks for it")
  func cuts() {
    let playlist = list("#CASTQ: start=10 end=40.25\na.mp3\n")
    let text = PlaylistWriter(playlist, as: .xspf).text
    #expect(text.contains("<vlc:option>start-time=10</vlc:option>"))
    #expect(text.contains("<vlc:option>stop-time=40.25</vlc:option>"))
    #expect(PlaylistWriter(playlist, as: .xspf).losses == [])
    #expect(
      PlaylistWriter(playlist, as: .jspf).losses == [
        "JSPF does not hold play_for: entry 1", "JSPF does not hold start: entry 1",
      ])
  }

  @Test("a loss is named once, with the entries that lose, and long lists of them are cut")
  func losses() {
    let playlist = list(
      "#CASTQ-QUEUE: repeat=all shuffle=yes\n" + String(repeating: "#CASTQ: rate=1.5\na.mp3\n", count: 12)
        + "a.mp3\n")
    for format in [PlaylistFormat.pls, .xspf, .jspf] {
      let name = format.rawValue.uppercased()
      #expect(
        PlaylistWriter(playlist, as: format).losses == [
          "\(name) does not hold repeat, shuffle of the list",
          "\(name) does not hold rate: entries 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more",
        ])
    }
    for format in [PlaylistFormat.yaml, .json, .m3u] {
      #expect(PlaylistWriter(playlist, as: format).losses == [])
    }
  }

  @Test("a type that the name does not show is a loss, and an application's own name is left out")
  func types() {
    var hidden = EntryDraft(
      media: MediaInformation(contentID: "file:///media/film", contentType: "video/mp4"), origin: .local)
    hidden.media.streamType = .buffered
    let own = EntryDraft(media: MediaInformation(contentID: "film-7", contentType: "video/mp4"))
    #expect(
      PlaylistWriter(Playlist(drafts: [hidden, own]), as: .pls).losses == [
        "PLS does not hold type: entry 1",
        "entry 2 was left out: PLS holds files and addresses, and film-7 is neither",
      ])
  }

  @Test(
    "a number is written with what it needs of six digits",
    arguments: [
      (0, "0"), (271, "271"), (0.5, "0.5"), (12.34, "12.34"), (0.1 + 0.2, "0.3"), (1e-7, "0"),
      (1.000001, "1.000001"),
    ])
  func numbers(value: Double, text: String) { #expect(DecimalText.text(value) == text) }
}
