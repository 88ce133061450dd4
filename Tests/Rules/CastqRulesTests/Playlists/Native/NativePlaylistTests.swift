import CastProtocol
import CastqPlaylists
import CastqText
import Testing

@Suite struct NativePlaylistTests {
  private static func read(_ text: String, _ format: PlaylistFormat = .yaml) -> ParsedPlaylist {
    var loader = MemoryLoader(
      media: [
        "a.mp4", "b.mp3", "c.jpg", "d.unknown", "subs.vtt", "subs.srt", "ad.mp4", "vast.xml", "deep/e.mp4",
      ])
    loader.add("list.\(format.rawValue)", text)
    loader.add("inner.yaml", "- a.mp4\n- deep/e.mp4\n")
    return loader.read("list.\(format.rawValue)")
  }

  @Test(
    "a list of files and addresses is a playlist, bare or under `entries`, in both notations",
    arguments: [
      ("- a.mp4\n- http://h/b.mp3\n", PlaylistFormat.yaml),
      ("castq: 1\nentries: [a.mp4, 'http://h/b.mp3']\n", .yaml),
      ("entries:\n- file: a.mp4\n- url: http://h/b.mp3\n", .yaml),
      (#"["a.mp4", "http://h/b.mp3"]"#, .json),
      (#"{"castq":1,"entries":["a.mp4",{"url":"http://h/b.mp3"}]}"#, .json),
    ])
  func plain(text: String, format: PlaylistFormat) {
    let parsed = Self.read(text, format)
    #expect(parsed.messages == [])
    #expect(parsed.urls == ["file:///media/a.mp4", "http://h/b.mp3"])
    #expect(parsed.playlist.drafts.map(\.media.contentType) == ["video/mp4", "audio/mpeg"])
  }

  private static let subtitlesBesideAds =
    "7:10: warning: receivers show no subtitles of a film that has ad breaks; play the ads as entries of their own, before and after it"

  @Test(
    "a text that is too long costs itself and is told with its place; the rest of the list stays",
    arguments: [PlaylistFormat.yaml, .json])
  func longText(format: PlaylistFormat) {
    let long = String(repeating: "x", count: 70_000)
    // YAML has no keys of that length.
    let (key, value) = format == .json ? (long, "x") : ("subtitle", long)
    let parsed = Self.read(
      """
      [
      "a.mp4",
      {"url": "a.mp4", "title": "\(long)"},
      {"\(key)": "\(value)", "url": "b.mp3"},
      "\(long)",
      {"url": "deep/e.mp4", "images": ["\(long)", "c.jpg"]}
      ]

      """, format)
    #expect(parsed.urls == ["a.mp4", "a.mp4", "b.mp3", "deep/e.mp4"].map { "file:///media/\($0)" })
    #expect(parsed.messages.map { $0.prefix { $0 != ":" } } == ["3", "4", "5", "6"])
    #expect(parsed.messages.allSatisfy { $0.hasSuffix(": a text is longer than 65536 bytes") })
    #expect(parsed.playlist.drafts.last?.media.metadata?.images.count == 1)
  }

  @Test("every field of an entry arrives")
  func everything() throws {
    let parsed = Self.read(
      """
      castq: 1
      name: Morning
      repeat: all
      shuffle: no
      entries:
        - content_id: film-7
          url: http://h/film
          entity: deep://link
          type: video/mp4
          stream: live
          duration: 1:30
          title: 1984
          subtitle: "Two\\nlines"
          metadata: {kind: tv_show, series_title: S, season: 3, originalAirdate: 2014-02-10, x_own: {a: [1, null]}}
          images: [c.jpg, {url: http://h/i.png, width: 10, height: 20}]
          tracks:
            - {id: 2, file: subs.vtt, language: en, name: English, roles: [main], custom_data: 5}
            - {kind: audio, language: de}
          active_tracks: [2]
          style: {font_scale: 1.5, foreground_color: "#ffaa00", edge_type: drop_shadow, font_style: bold_italic}
          clips:
            - {id: soap, file: ad.mp4, title: Soap, skippable_after: 0, poster: c.jpg, click_through: http://h/c}
          breaks:
            - {position: start, clips: [soap, {vast: vast.xml}]}
            - {id: mid, position: 30s, clips: [{url: http://h/ad.mp4, duration: 5}], watched: yes}
            - {id: post, position: end, clips: [soap], duration: 5, embedded: true, expanded: true}
          vmap: {document: <VMAP/>}
          hls_segment_format: fmp4
          hls_video_segment_format: mpeg2_ts
          start_absolute_time: 2026-11-20T09:00:00Z
          start: 5
          end: 25.5
          preload: 8
          autoplay: off
          rate: 1.25
          custom_data: [1]
          item_custom_data: {user: 1}
          credentials: token
          credentials_type: cloud
          not_before: 2026-11-20T09:00:00Z
          not_after: 2026-11-20T10:00:00+01:00
          on_error: retry 3
      """.replacing("not_after: 2026-11-20T10:00:00+01:00", with: "not_after: 2026-11-20T11:00:00+01:00"))
    #expect(parsed.messages == [Self.subtitlesBesideAds])
    #expect(parsed.playlist.name == "Morning")
    #expect(parsed.playlist.repeatMode == .all)
    #expect(parsed.playlist.isShuffled == false)
    let draft = try #require(parsed.playlist.drafts.first)
    let media: JSONValue = [
      "contentId": "film-7", "contentUrl": "http://h/film", "contentType": "video/mp4", "streamType": "LIVE",
      "duration": 90, "entity": "deep://link", "customData": [1], "startAbsoluteTime": 1_795_165_200,
      "hlsSegmentFormat": "fmp4", "hlsVideoSegmentFormat": "mpeg2_ts",
      "metadata": [
        "metadataType": 2, "title": "1984", "subtitle": "Two lines", "seriesTitle": "S", "season": 3,
        "originalAirdate": "2014-02-10", "x_own": ["a": [1, nil]],
        "images": [
          ["url": "file:///media/c.jpg"], ["url": "http://h/i.png", "width": 10, "height": 20],
        ],
      ],
      "tracks": [
        [
          "trackId": 2, "type": "TEXT", "subtype": "SUBTITLES", "trackContentId": "file:///media/subs.vtt",
          "trackContentType": "text/vtt", "language": "en", "name": "English", "roles": ["main"],
          "customData": 5,
        ],
        ["trackId": 1, "type": "AUDIO", "language": "de"],
      ],
      "textTrackStyle": [
        "fontScale": 1.5, "foregroundColor": "#FFAA00FF", "edgeType": "DROP_SHADOW",
        "fontStyle": "BOLD_ITALIC",
      ],
      "breakClips": [
        [
          "id": "soap", "contentId": "file:///media/ad.mp4", "contentType": "video/mp4", "title": "Soap",
          "whenSkippable": 0, "posterUrl": "file:///media/c.jpg", "clickThroughUrl": "http://h/c",
        ],
        ["id": "break-1-2", "vastAdsRequest": ["adTagUrl": "file:///media/vast.xml"]],
        ["id": "mid-1", "contentId": "http://h/ad.mp4", "contentType": "video/mp4", "duration": 5],
      ],
      "breaks": [
        [
          "id": "break-1", "position": 0, "breakClipIds": ["soap", "break-1-2"], "isWatched": false,
        ],
        ["id": "mid", "position": 30, "breakClipIds": ["mid-1"], "isWatched": true],
        [
          "id": "post", "position": -1, "breakClipIds": ["soap"], "isWatched": false, "duration": 5,
          "isEmbedded": true, "expanded": true,
        ],
      ],
      "vmapAdsRequest": ["adsResponse": "<VMAP/>"],
    ]
    #expect(draft.media.json == media)
    #expect(draft.activeTrackIDs == [2])
    #expect(draft.startTime == 5)
    #expect(draft.playbackDuration == 20.5)
    #expect(draft.preloadTime == 8)
    #expect(!draft.autoplay)
    #expect(draft.playbackRate == 1.25)
    #expect(draft.customData == ["user": 1])
    #expect(draft.credentials == "token")
    #expect(draft.credentialsType == "cloud")
    #expect(draft.notBefore?.milliseconds == 1_795_165_200_000)
    #expect(draft.notAfter?.milliseconds == 1_795_168_800_000)
    #expect(draft.onError == .retry(3))
    #expect(draft.source == SourceLocation(file: "list.yaml", line: 7))
  }

  @Test(
    "a mistake is told with its place and costs only itself",
    arguments: [
      ("- {url: a.mp4, titel: x}", "1:16: `titel` is not a key of an entry; did you mean `title`?", 1),
      (
        "- {url: a.mp4, start: soon}",
        "1:23: `soon` is not a duration; write 90, 90s, 1m30s, 01:30, 1:02:03, 1.5s or 250ms", 1
      ),
      ("- {url: a.mp4, rate: 3}", "1:22: `3` is not a playback rate from 0.5 to 2", 1),
      ("- {url: a.mp4, autoplay: maybe}", "1:26: `maybe` is neither yes nor no", 1),
      ("- {url: a.mp4, stream: lives}", "1:24: `lives` is not a known value; did you mean `live`?", 1),
      ("- {url: a.mp4, end: 5, start: 9}", "1:21: the end is not after the start, so it was ignored", 1),
      ("- {url: a.mp4, end: 5, play_for: 9}", "1:21: `end` and `play_for` exclude each other", 1),
      (
        "- {url: a.mp4, title: a, metadata: {title: b}}",
        "1:37: `title` is given twice for one entry; the first one counts", 1
      ),
      (
        "- {url: a.mp4, tracks: [{file: subs.vtt}]}",
        "1:25: subtitles need a `language`, or receivers refuse them; write language: en", 1
      ),
      (
        "- {url: a.mp4, tracks: [{file: subs.vtt, language: english language}]}",
        "1:52: `english language` is not a language; write a code such as en or pt-BR", 1
      ),
      (
        "- {url: a.mp4, breaks: [{clips: []}]}",
        "1:25: the break has no `position`; write seconds, `start` or `end`", 1
      ),
      (
        "- {url: a.mp4, breaks: [{position: 1, clips: [x]}]}",
        "1:47: no clip has the id `x`; list it in `clips`, or write it here", 1
      ),
      (
        "- {url: a.mp4, on_error: retry}",
        "1:26: `retry` is not an error policy; write skip, stop or `retry 3`", 1
      ),
      (
        "- {url: a.mp4, item_custom_data: {castq: 1}}",
        "1:34: `castq` is reserved for castq in the data of an item; use another key", 1
      ),
      ("- {url: a.mp4, custom_data: .nan}", "1:29: `.nan` cannot be sent to a receiver", 1),
      (
        "- {url: a.mp4, style: {edge_color: red}}",
        "1:36: `red` is not a colour; write \"#RRGGBBAA\" in quotes", 1
      ),
      (
        "- {url: a.mp4, not_before: tomorrow}",
        "1:28: `tomorrow` is not a date and time; write 2026-11-20T09:00:00Z or …+01:00", 1
      ),
      ("- {url: a.mp4, metadata: {release_date: 2014}}", "1:41: `2014` is not a date; put it in quotes", 1),
      ("- {url: a.mp4, images: nope.jpg}", "1:24: expected a list, found text", 1),
      ("- {url: a.mp4, images: [nope.jpg]}", "1:25: warning: no such file: nope.jpg", 1),
      ("- {url: a.mp4, file: a.mp4}", "1:22: `url` and `file` exclude each other", 1),
      ("- {title: x}", "1:3: the entry has no `url` and no `file`, so there is nothing to play", 0),
      ("- nope.mp4", "1:3: no such file: nope.mp4", 0),
      ("- 5", "1:3: expected text, found a number; put it in quotes", 0),
      ("- [a.mp4]", "1:3: expected an entry, found a list; write a file, an address or a mapping", 0),
      (
        "- d.unknown",
        "1:3: unknown kind of media: d.unknown; if receivers can play it, give its `type`", 0
      ),
      (
        "entries: [a.mp4]\nrepaet: all",
        "2:1: `repaet` is not a key of a playlist; did you mean `repeat`?", 1
      ),
      (
        "castq: 2\nentries: [a.mp4]",
        "1:8: this version of the format is not supported; write castq: 1", 1
      ),
      ("name: x", "1:1: the playlist has no `entries`", 0),
      ("just words", "1:1: the playlist is text; write a mapping with `entries`, or a list of entries", 0),
      (
        "defaults: {url: a.mp4, preload: 5}\nentries: [a.mp4]",
        "1:17: `url` is the place of one entry and cannot be a default", 1
      ),
      (
        "defaults: {preload: x}\nentries: [a.mp4, a.mp4]",
        "1:21: `x` is not a duration; write 90, 90s, 1m30s, 01:30, 1:02:03, 1.5s or 250ms", 2
      ),
      (
        "defaults: &d {preload: 1}\nentries: [{<<: *d, url: a.mp4}]",
        "2:12: YAML 1.2 has no merge key; put what all entries share into `defaults`", 1
      ),
      (
        "- {url: a.mp4, metadata: {kind: 50}}",
        "1:33: `50` is not a kind of metadata; kinds of an application have numbers from 100", 1
      ),
      (
        "- {url: a.mp4, metadata: {titel: x}}",
        "1:27: warning: `titel` is kept as a key for the application; did you mean `title`?", 1
      ),
      (
        "- {url: rtsp://h/x}",
        "1:9: a receiver cannot play rtsp addresses; it plays http and https; convert the stream, or name a file",
        0
      ),
    ])
  func mistakes(text: String, message: String, entries: Int) {
    let parsed = Self.read(text)
    #expect(parsed.messages == [message])
    #expect(parsed.playlist.drafts.count == entries)
  }

  @Test("defaults hold where an entry is silent, and mappings of metadata and style are joined")
  func defaults() {
    let parsed = Self.read(
      """
      defaults: {preload: 5, metadata: {artist: A, title: T, kind: movie}, style: {font_scale: 2}, autoplay: no, play_for: 9}
      entries:
        - a.mp4
        - {url: b.mp3, preload: 6, metadata: {title: own, metadataType: 3}, style: {font_style: bold}, end: 4}
        - {url: b.mp3, title: mine}
      """)
    #expect(parsed.messages == [])
    let drafts = parsed.playlist.drafts
    #expect(drafts.map(\.preloadTime) == [5, 6, 5])
    #expect(drafts.map(\.playbackDuration) == [9, 4, 9])
    #expect(drafts.map { $0.media.metadata?.kind } == [.movie, .musicTrack, .movie])
    #expect(drafts.map(\.autoplay) == [false, false, false])
    #expect(drafts.map { $0.media.metadata?.values["artist"] } == ["A", "A", "A"])
    #expect(parsed.titles == ["T", "own", "mine"])
    #expect(drafts.map { $0.media.textTrackStyle?.fontScale } == [2, 2, 2])
    #expect(drafts[1].media.textTrackStyle?.fontStyle == .bold)
  }

  @Test("entries may be lists and folders; what is said of them otherwise means nothing")
  func nested() {
    let parsed = Self.read(
      "- inner.yaml\n- {file: inner.yaml, start: 5}\n- deep\n- {content_id: x, type: video/mp4}\n")
    #expect(
      parsed.messages == [
        "2:10: warning: the settings of this entry do not apply to a list; put them into the list"
      ])
    let inner = ["file:///media/a.mp4", "file:///media/deep/e.mp4"]
    #expect(parsed.urls == inner + inner + ["file:///media/deep/e.mp4", "x"])
    #expect(
      Self.read("- list.yaml\n").messages == ["1:3: the playlist includes itself: list.yaml → list.yaml"])
  }

  @Test("a playlist from the web names no local files, and its paths are addresses")
  func web() {
    let loader = MemoryLoader(
      media: ["a.mp4"],
      web: ["http://h/l/x.yaml": "- file:///media/a.mp4\n- {file: a.mp4, images: [file:///media/a.mp4]}\n"])
    let parsed = loader.read("http://h/l/x.yaml")
    #expect(parsed.urls == ["http://h/l/a.mp4"])
    #expect(parsed.issues.count == 2)
    #expect(parsed.issues.allSatisfy { $0.message.hasPrefix("a playlist from the network may not name") })
  }

  @Test("a length of a picture is how long it is shown; kinds follow from the media where nobody says")
  func pictures() {
    let parsed = Self.read("- {file: c.jpg, duration: 20, title: x}\n- {file: b.mp3, title: y}\n- a.mp4\n")
    let drafts = parsed.playlist.drafts
    #expect(drafts.map(\.playbackDuration) == [20, nil, nil])
    #expect(drafts.map(\.media.streamType) == [.none, .buffered, .buffered])
    #expect(drafts.map { $0.media.metadata?.kind } == [.photo, .musicTrack, nil])
  }

  @Test(
    "the time for entries with mistakes grows with their number, and not with its square",
    .timeLimit(.minutes(5)))
  func many() {
    let line = "- {url: http://h/a.mp4, titel: x, prelod: 5, stra: 1, duration: x, tracks: [{knd: 1}]}\n"
    func time(_ count: Int) -> Duration {
      var parsed: ParsedPlaylist?
      let took = ContinuousClock().measure { parsed = Self.read(String(repeating: line, count: count)) }
      #expect(parsed?.playlist.drafts.count == count)
      #expect(parsed?.issues.count == min(5 * count, PlaylistLimits().issues + 1))
      return took
    }
    let (some, many) = (time(1250), time(10_000))
    #expect(many < some * 30, "\(some), \(many)")
  }
}
