import CastProtocol
import CastqPlaylists
import Testing

/// Lines before one entry, and what they make of it.
struct LineCase: Sendable, CustomTestStringConvertible {
  var lines: String
  var entry = "a.mp4"
  var messages: [String] = []
  var check: @Sendable (EntryDraft) -> Bool

  init(
    _ lines: String, entry: String = "a.mp4", messages: [String] = [],
    _ check: @escaping @Sendable (EntryDraft) -> Bool
  ) {
    (self.lines, self.entry, self.messages, self.check) = (lines, entry, messages, check)
  }

  var testDescription: String { lines }
}

extension EntryDraft {
  var metadata: MediaMetadata? { media.metadata }
  func value(_ key: String) -> JSONValue? { media.metadata?.values[key] }
}

@Suite struct M3ULineTests {
  static let loader = MemoryLoader(media: [
    "a.mp4", "a.mp3", "a.jpg", "cover.jpg", "subs.vtt", "subs.srt", "sub dir/b.ttml", "no.type",
  ])

  private func check(_ test: LineCase) throws {
    var loader = Self.loader
    loader.add("list.m3u", test.lines + "\n" + test.entry + "\n")
    let parsed = loader.read("list.m3u")
    #expect(parsed.messages == test.messages)
    try #require(parsed.playlist.drafts.count == 1)
    #expect(test.check(parsed.playlist.drafts[0]), "\(parsed.playlist.drafts[0])")
  }

  @Test(
    "tags of the world's playlists",
    arguments: [
      LineCase("#EXTM3U x-tvg-url=\"http://x/guide.xml\"") {
        $0.metadata == nil && $0.media.streamType == .buffered
      },
      LineCase("#EXTINF:12,Welcome") {
        $0.metadata?.title == "Welcome" && $0.media.streamDuration == 12
      },
      LineCase("#EXTINF:12.5 , Artist - Title ") {
        $0.metadata?.title == "Artist - Title" && $0.media.streamDuration == 12.5
      },
      LineCase("#extinf: 7,lower case tag") { $0.media.streamDuration == 7 },
      LineCase("  #EXTINF:7,indented") { $0.metadata?.title == "indented" },
      LineCase("#EXTINF:0,Unknown") { $0.media.streamDuration == nil },
      LineCase("#EXTINF:-1,File") {
        $0.media.streamDuration == nil && $0.media.streamType == .buffered
      },
      LineCase("#EXTINF:,Nothing") { $0.metadata?.title == "Nothing" },
      LineCase("#EXTINF:5,One, two, three") { $0.metadata?.title == "One, two, three" },
      LineCase("#EXTINF:5,") { $0.metadata == nil },
      LineCase("#EXTINF:5", messages: ["1:9: warning: no comma after the length, so there is no title"]) {
        $0.media.streamDuration == 5
      },
      LineCase("#EXTINF:abc,Title", messages: ["1:9: warning: `abc` is not a length in seconds"]) {
        $0.metadata?.title == "Title"
      },
      LineCase(
        "#EXTINF:-1 tvg-id=\"1\" tvg-name=\"A, B\" tvg-logo=\"http://x/l.png\" group-title=\"News, World\",C, D"
      ) {
        $0.metadata?.title == "C, D" && $0.metadata?.images == [Image(url: "http://x/l.png")]
          && $0.value("group") == "News, World"
      },
      LineCase("#EXTINF:-1 tvg-name=\"Named\",") { $0.metadata?.title == "Named" },
      LineCase(
        "#EXTINF:-1 tvg-name=The \"Best\" of,T",
        messages: [
          "1:25: warning: `\"Best\"` is in no value and is ignored; a value with blanks needs quotes"
        ]
      ) { $0.metadata?.title == "T" },
      LineCase("#EXTINF:-1 tvg-name=\"The \"Best\" of\",T") { $0.metadata?.title == "T" },
      LineCase("#EXTINF:-1 group-title=News tvg-logo=cover.jpg,T") {
        $0.value("group") == "News" && $0.metadata?.images.first?.url == "file:///media/cover.jpg"
      },
      LineCase("#EXTINF:-1 tvg-name=\"open,Title", messages: ["1:21: warning: the quote is not closed"]) {
        $0.metadata?.title == "Title"
      },
      LineCase("#EXTINF:5,Bell\u{7} \u{1B}[31mred\u{1B}[0m\u{0}\u{202E}") {
        $0.metadata?.title == "Bell red"
      },
      LineCase("#EXTINF:10,Slide", entry: "a.jpg") {
        $0.playbackDuration == 10 && $0.media.streamDuration == nil
          && $0.media.streamType == .none
          && $0.metadata?.kind == .photo
      },
      LineCase("#EXTINF:5,T\n#EXTART:Artist\n#EXTALB:Album\n#EXTGENRE:Jazz", entry: "a.mp3") {
        $0.value("artist") == "Artist" && $0.value("albumName") == "Album" && $0.value("genre") == "Jazz"
          && $0.metadata?.kind == .musicTrack
      },
      LineCase("#EXTALBUMARTURL:http://x/cover.jpg") {
        $0.metadata?.images.first?.url == "http://x/cover.jpg"
      },
      LineCase("#EXTIMG: front cover") { $0.metadata == nil },
      LineCase("#EXTIMG:cover.jpg") { $0.metadata?.images.first?.url == "file:///media/cover.jpg" },
      LineCase("#EXTVLCOPT:start-time=10\n#EXTVLCOPT:stop-time=40.5\n#EXTVLCOPT:network-caching=1000") {
        $0.startTime == 10 && $0.playbackDuration == 30.5
      },
      LineCase("#EXTVLCOPT:stop-time=40") { $0.startTime == nil && $0.playbackDuration == 40 },
      LineCase(
        "#EXTVLCOPT:start-time=soon", messages: ["1:12: warning: start-time is not a number of seconds"]
      ) {
        $0.startTime == nil
      },
      LineCase("# a comment\n#\n##\n#EXT-UNKNOWN:1\n#EXT-X-APP something\n\n \t") { $0.metadata == nil },
      LineCase("#EXTINF:5 tvg-logo=\"n/a\",T", messages: ["1:21: warning: no such file: n/a"]) {
        $0.metadata?.title == "T" && $0.metadata?.images == []
      },
      LineCase(
        "#EXTINF:9,Orphan\n#EXTVLCOPT:start-time=3\n#EXTINF:5,Mine",
        messages: ["1:1: warning: #EXTINF without an entry after it"]
      ) {
        $0.metadata?.title == "Mine" && $0.startTime == nil
      },
      LineCase("#EXTINF:-1,Channel", entry: "http://x/live/1.m3u8?t=1") {
        $0.media.streamType == .live && $0.media.contentType == "application/x-mpegurl"
      },
      LineCase("#EXTINF:120,Film", entry: "http://x/film.m3u8") {
        $0.media.streamType == .buffered && $0.media.streamDuration == 120
      },
      LineCase("#EXTINF:-1,Film", entry: "http://x/film.mp4") { $0.media.streamType == .buffered },
      LineCase("#EXTINF:-1,Song", entry: "http://x/song.mp3") { $0.media.streamType == .buffered },
      LineCase("#EXTINF:-1,Dash", entry: "https://x/live.mpd") { $0.media.streamType == .live },
      LineCase(
        "#EXTINF:-1 radio=\"true\",Radio", entry: "http://x:8000/stream",
        messages: [
          "2:1: warning: the address does not show the kind of media; audio/mpeg is assumed; put `#CASTQ: type=…` before it in a playlist"
        ]
      ) { $0.media.streamType == .live && $0.media.contentType == "audio/mpeg" },
      LineCase("#EXTINF:-1,Radio\n#CASTQ: type=audio/aac", entry: "http://x:8000/stream") {
        $0.media.streamType == .live
      },
      LineCase("", entry: "http://x/films/film.ism/Manifest") {
        $0.media.contentType == "application/vnd.ms-sstr+xml"
      },
    ])
  func tags(test: LineCase) throws { try check(test) }

  @Test(
    "castq's directives speak of the next entry",
    arguments: [
      LineCase("#CASTQ: start=10 end=40 preload=5 autoplay=no rate=1.25 type=video/webm live=yes") {
        $0.startTime == 10 && $0.playbackDuration == 30 && $0.preloadTime == 5
          && !$0.autoplay && $0.playbackRate == 1.25 && $0.media.contentType == "video/webm"
          && $0.media.streamType == .live
      },
      LineCase("#CASTQ:start=1m30s\tend=0:02:00") {
        $0.startTime == 90 && $0.playbackDuration == 30
      },
      LineCase("#castq: live=no", entry: "http://x/a.m3u8") { $0.media.streamType == .buffered },
      LineCase("#EXTINF:9,Old\n#CASTQ: title=\"New, \\\"quoted\\\" \\\\ title\" duration=8") {
        $0.metadata?.title == "New, \"quoted\" \\ title" && $0.media.streamDuration == 8
      },
      LineCase("#CASTQ: title=New\\ title\n#EXTINF:9,Old") { $0.metadata?.title == "New title" },
      LineCase("#CASTQ: subtitle=\"\" title=\"\u{1B}[1mx\u{202E}\"") {
        $0.metadata?.title == "x" && $0.metadata?.subtitle == nil
      },
      LineCase("#CASTQ: series=Show season=2 episode=0 title=Pilot") {
        $0.metadata?.kind == .tvShow && $0.value("seriesTitle") == "Show" && $0.value("season") == 2
          && $0.value("episode") == 0
      },
      LineCase("#CASTQ: metadata=audiobook album=Book title=One episode=1", entry: "a.mp3") {
        $0.metadata?.kind == .audiobookChapter && $0.value("bookTitle") == "Book"
          && $0.value("chapterTitle") == "One"
          && $0.value("chapterNumber") == 1
      },
      LineCase("#CASTQ: metadata=movie") { $0.metadata == MediaMetadata(kind: .movie) },
      LineCase("#CASTQ: metadata=tv artist=A") { $0.metadata?.kind == .tvShow },
      LineCase("#CASTQ: image=\"cover.jpg\"") { $0.metadata?.images.first?.url == "file:///media/cover.jpg" },
      LineCase("#CASTQ: type=video/custom", entry: "no.type") {
        $0.media.contentType == "video/custom"
      },
      LineCase(
        "#CASTQ: tracks=subs.vtt:en,\"sub dir/b.ttml\":pt-BR:\"Portuguese, BR\",http://h:80/s.vtt:de:Deutsch"
      ) {
        $0.media.mediaTracks == [
          MediaTrack(
            identifier: 1, kind: .text, textSubtype: .subtitles, contentIdentifier: "file:///media/subs.vtt",
            contentType: "text/vtt", languageCode: "en"),
          MediaTrack(
            identifier: 2, kind: .text, textSubtype: .subtitles,
            contentIdentifier: "file:///media/sub%20dir/b.ttml", contentType: "application/ttml+xml",
            languageCode: "pt-BR", name: "Portuguese, BR"),
          MediaTrack(
            identifier: 3, kind: .text, textSubtype: .subtitles, contentIdentifier: "http://h:80/s.vtt",
            contentType: "text/vtt", languageCode: "de", name: "Deutsch"),
        ]
      },
      LineCase(
        "#CASTQ: tracks=subs.srt:en"
      ) { $0.media.mediaTracks.first?.contentType == "text/srt" },
      LineCase("#CASTQ: start=5\n# comment\n\n#CASTQ: rate=2") {
        $0.startTime == 5 && $0.playbackRate == 2
      },
      LineCase("#EXTVLCOPT:start-time=3\n#CASTQ: start=5") { $0.startTime == 5 },
      LineCase("#CASTQ:") { $0.metadata == nil },
    ])
  func directives(test: LineCase) throws { try check(test) }

  @Test(
    "a wrong directive is reported at its column, and the rest of the line and the entry stay",
    arguments: [
      ("#CASTQ: preloda=5 rate=2", "1:9: `preloda` is not a key of #CASTQ; did you mean `preload`?"),
      (
        "#CASTQ: rate=2 x=1",
        "1:16: `x` is not a key of #CASTQ; the keys are start, end, preload, autoplay, rate, type, live, image, title, subtitle, tracks, subtitles, metadata, artist, album, series, season, episode, duration"
      ),
      (
        "#CASTQ: rate=2 start=1:5",
        "1:22: `1:5` is not a duration; write 90, 90s, 1m30s, 01:30, 1:02:03, 1.5s or 250ms"
      ),
      (
        "#CASTQ: start=-3 rate=2",
        "1:15: `-3` is not a duration; write 90, 90s, 1m30s, 01:30, 1:02:03, 1.5s or 250ms"
      ),
      (
        "#CASTQ: title=\"Grüße 👋\" start= rate=2",
        "1:31: `` is not a duration; write 90, 90s, 1m30s, 01:30, 1:02:03, 1.5s or 250ms"
      ),
      ("#CASTQ: autoplay=maybe rate=2", "1:18: `maybe` is neither yes nor no"),
      ("#CASTQ: type=mp4 rate=2", "1:14: `mp4` is not a MIME type; write one such as video/mp4"),
      ("#CASTQ: metadata=moovie rate=2", "1:18: `moovie` is not a known value; did you mean `movie`?"),
      ("#CASTQ: season=-1 rate=2", "1:16: `-1` is not a number; write digits only"),
      ("#CASTQ: start=40 end=40 rate=2", "1:22: the end is not after the start, so it was ignored"),
      ("#CASTQ: rate=2 loop", "1:16: `loop` has no value; write key=value"),
      ("#CASTQ: rate=2 =5", "1:16: a value without a key before `=`"),
      ("#CASTQ: rate=2 title=\"open", "1:22: the quote is not closed; end the value with \""),
      ("#CASTQ: rate=2 title=", ""),
      ("#CASTQ: rate=1 rate=2", "1:16: warning: `rate` is given twice for one entry; the last one counts"),
      ("#CASTQ: rate=2 tracks=subs.vtt", "1:23: the track subs.vtt has no language; write subs.vtt:en"),
      ("#CASTQ: rate=2 tracks=subs.vtt:en,x.vtt:en", "1:35: no such file: x.vtt"),
      (
        "#CASTQ: rate=2 tracks=subs.vtt:english_uk",
        "1:32: `english_uk` is not a language; write a code such as en or pt-BR"
      ),
      (
        "#CASTQ: rate=2 tracks=subs.vtt:en:a:1:b",
        "1:39: too many colons in a track; write FILE:LANGUAGE:\"NAME\":OFFSET, with colons inside quotes"
      ),
      (
        "#CASTQ: rate=2 tracks=subs.vtt:en:a:b",
        "1:37: `b` is not a duration; write 90, 90s, 1m30s, 01:30, 1:02:03, 1.5s or 250ms"
      ),
      (
        "#CASTQ: rate=2 tracks=cover.jpg:en",
        "1:23: unknown kind of text track: cover.jpg; castq reads .srt, .ass, .ssa, .ttml, .dfxp and .vtt files"
      ),
      ("#CASTQ: rate=2 tracks=,", "1:23: a track has no file"),
      ("#CASTQ: rate=2 image=gone.jpg", "1:22: warning: no such file: gone.jpg"),
      (
        "#CASTQ: rate=2 image=data:image/png,x",
        "1:22: warning: a receiver cannot play data addresses; it plays http and https; convert the stream, or name a file"
      ),
      (
        "#CASTQ: rate=2\n#CASTQ-QUEU: x=1",
        "2:1: `#CASTQ-QUEU` is not a directive; did you mean `#CASTQ-QUEUE:`?"
      ),
      ("#CASTQ: rate=2\n#CASTQ start=1", "2:1: `#CASTQ` is not a directive; did you mean `#CASTQ:`?"),
      ("#CASTQ: rate=2\n#CASTQ-QUEUE: repeat=al", "2:22: `al` is not a known value; did you mean `all`?"),
      (
        "#CASTQ: rate=2\n#CASTQ-QUEUE: repaet=all",
        "2:15: `repaet` is not a key of #CASTQ-QUEUE; did you mean `repeat`?"
      ),
    ])
  func wrongDirective(lines: String, message: String) throws {
    try check(LineCase(lines, messages: message.isEmpty ? [] : [message]) { $0.playbackRate == 2 })
  }

  @Test("a rate outside 0.5 to 2 is refused", arguments: ["0.49", "2.01", "0", "-1", "fast", "1e0", ""])
  func rate(text: String) throws {
    try check(
      LineCase(
        "#CASTQ: rate=\(text)",
        messages: [
          "1:\(text.isEmpty ? 13 : 14): `\(text)` is not a playback rate; write a number from 0.5 to 2"
        ]
      ) {
        $0.playbackRate == nil
      })
  }

  @Test("the queue's directive and the list's name are taken, and a directive without an entry is a warning")
  func queueDirective() {
    let loader = MemoryLoader([
      "list.m3u": "#PLAYLIST: Lobby \n#CASTQ-QUEUE: repeat=all shuffle=yes\n#EXTINF:1,x\n#CASTQ: start=1\n"
    ])
    let parsed = loader.read("list.m3u")
    #expect(parsed.playlist == Playlist(name: "Lobby", repeatMode: .all, isShuffled: true))
    #expect(
      parsed.messages == [
        "3:1: warning: #EXTINF without an entry after it", "4:1: warning: #CASTQ without an entry after it",
      ])
  }

  @Test("album tags before the first entry hold for all, later ones for the next entry only")
  func albumTags() {
    var loader = MemoryLoader(media: ["1.mp3", "2.mp3", "3.mp3"])
    loader.add(
      "list.m3u", "#EXTM3U\n#EXTALB:Album\n#EXTINF:1,One\n1.mp3\n#EXTALB:Other\n#EXTART:Guest\n2.mp3\n3.mp3\n"
    )
    let entries = loader.read("list.m3u").playlist.drafts
    #expect(entries.map { $0.value("albumName") } == ["Album", "Other", "Album"])
    #expect(entries.map { $0.value("artist") } == [nil, "Guest", nil])
  }
}
