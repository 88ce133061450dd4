import CastProtocol
import CastqPlaylists
import CastqText
import Testing

@Suite struct SamplePlaylistTests {
  private func describe(_ parsed: ParsedPlaylist) -> [String] {
    parsed.playlist.drafts.map { draft in
      let media = draft.media
      let words: [String?] = [
        draft.source.map { "\($0.file):\($0.line.map(String.init) ?? "")" }, media.url, media.contentType,
        media.streamType.word, media.streamDuration.map { "\($0.seconds)" }, media.metadata?.title,
      ]
      return words.map { $0 ?? "-" }.joined(separator: " | ")
    }
  }

  @Test("a television list gives its channels, and names what no receiver plays")
  func television() {
    let parsed = SamplePlaylists.loader.read("tv.m3u8")
    #expect(
      describe(parsed) == [
        "tv.m3u8:3 | http://tv.example:8080/live/user/pass/1001.m3u8 | application/x-mpegurl | LIVE | - | One HD",
        "tv.m3u8:7 | http://tv.example:8080/live/user/pass/1002.ts | video/mp2t | BUFFERED | - | Two | Sport (1080p) [Not 24/7]",
        "tv.m3u8:11 | https://cdn.example/three/manifest.mpd | application/dash+xml | LIVE | - | Three",
        "tv.m3u8:17 | http://tv.example/best | video/mp4 | BUFFERED | - | Best of",
      ])
    #expect(
      parsed.issues.map(\.description) == [
        "tv.m3u8:13:1: a receiver cannot play udp addresses; it plays http and https; convert the stream, or name a file",
        "tv.m3u8:15:1: a receiver cannot play rtsp addresses; it plays http and https; convert the stream, or name a file",
        "tv.m3u8:17:1: warning: the address does not show the kind of media; video/mp4 is assumed; put `#CASTQ: type=…` before it in a playlist",
      ])
    #expect(parsed.playlist.drafts.map { $0.value("group") } == ["News; World", "Sport", "Regional", nil])
    #expect(parsed.playlist.drafts[0].metadata?.images == [Image(url: "http://logos.example/one.png")])
  }

  @Test("a list of radio stations gives live sound where it says so, and a stray line is reported")
  func radio() {
    let parsed = SamplePlaylists.loader.read("radio.m3u")
    #expect(
      describe(parsed) == [
        "radio.m3u:4 | http://radio.example/eins.mp3 | audio/mpeg | BUFFERED | - | Radio Eins",
        "radio.m3u:6 | http://radio.example:8000/zwei | audio/mpeg | LIVE | - | Radio Zwei",
        "radio.m3u:9 | http://icecast.example/fip-hifi?id=1&x=%25zz | audio/aac | LIVE | - | FIP",
      ])
    #expect(
      parsed.messages == [
        "1:1: no such file: [playlist of stations exported 2019]",
        "6:1: warning: the address does not show the kind of media; audio/mpeg is assumed; put `#CASTQ: type=…` before it in a playlist",
      ])
    #expect(parsed.playlist.drafts[1].metadata?.images.first?.url == "https://radio.example/logo%20zwei.png")
  }

  @Test("a list saved by a desktop player is read with its cuts and pictures")
  func player() {
    let parsed = SamplePlaylists.loader.read("player.m3u")
    #expect(parsed.messages == [])
    #expect(
      describe(parsed) == [
        "player.m3u:6 | file:///home/me/Music/Some%20Artist/01%20-%20Some%20Title.mp3 | audio/mpeg | BUFFERED | 183.0 | Some Artist - Some Title",
        "player.m3u:8 | file:///Videos/%C3%9Cml%C3%A4ut.mkv | video/x-matroska | BUFFERED | 61.0 | Ümläut",
      ])
    let first = parsed.playlist.drafts.first
    #expect(first?.startTime == 12.5 && first?.playbackDuration == 87.5)
    #expect(first?.media.metadata?.images.first?.url == "file:///home/me/.cache/vlc/art/arturl/art.png")
  }

  @Test("a list of Windows paths is refused line by line with advice")
  func windows() {
    let parsed = SamplePlaylists.loader.read("windows.m3u")
    #expect(parsed.playlist.drafts.isEmpty)
    #expect(parsed.issues.map(\.line) == [3, 5, 6, 7])
    #expect(parsed.issues.allSatisfy { $0.severity == .error && $0.hint != nil })
  }

  @Test("Latin-1 titles and names are read")
  func latin() {
    let parsed = SamplePlaylists.loader.read("latin.m3u")
    #expect(parsed.messages == [])
    #expect(parsed.titles == ["Björk - Jóga", "It’s"])
    #expect(parsed.urls == ["file:///media/Bj%C3%B6rk.mp3", "file:///media/Bj%C3%B6rk.mp3"])
  }

  @Test("a signage list with directives, a cycle and a directory gives everything that is right")
  func signage() throws {
    let parsed = SamplePlaylists.loader.read("lobby.m3u")
    #expect(
      describe(parsed) == [
        "lobby.m3u:6 | file:///media/welcome.mp4 | video/mp4 | BUFFERED | 12.0 | Welcome",
        "lobby.m3u:10 | file:///media/posters/menu.png | image/png | NONE | - | Menu",
        "lobby.m3u:12 | file:///media/promo.mp4 | video/mp4 | BUFFERED | - | -",
        "deeper.m3u8:2 | file:///media/promo.mp4 | video/mp4 | BUFFERED | - | -",
        "lobby.m3u:16 | file:///media/posters/9.png | image/png | NONE | - | -",
        "lobby.m3u:16 | file:///media/posters/10.png | image/png | NONE | - | -",
        "lobby.m3u:16 | file:///media/posters/menu.png | image/png | NONE | - | -",
        "lobby.m3u:16 | file:///media/posters/welcome%20card.jpg | image/jpeg | NONE | - | -",
      ])
    #expect(
      parsed.issues.map(\.description) == [
        "lobby.m3u:13:9: `preloda` is not a key of #CASTQ; did you mean `preload`?",
        "lobby.m3u:14:1: no such file: promo.mpv",
        "deeper.m3u8:1:1: the playlist includes itself: more.m3u → deeper.m3u8 → more.m3u",
        "more.m3u:2:1: the playlist includes itself: more.m3u → more.m3u",
        "more.m3u:3:1: the playlist includes itself: lobby.m3u → more.m3u → lobby.m3u",
        "lobby.m3u:17:1: warning: #CASTQ without an entry after it",
      ])
    #expect(parsed.playlist.name == "Lobby, ground floor")
    #expect(parsed.playlist.repeatMode == .all && parsed.playlist.isShuffled == false)
    #expect(parsed.playlist.drafts[1].playbackDuration == 20)
    #expect(parsed.playlist.drafts[0].metadata?.subtitle == "Say \"hello\"")
    #expect(parsed.playlist.drafts[2].media.mediaTracks.map(\.name) == ["English, simple", nil])
  }
}
