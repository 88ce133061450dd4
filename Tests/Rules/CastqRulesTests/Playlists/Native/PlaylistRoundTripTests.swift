import CastProtocol
import Testing
@testable import CastqPlaylists
@testable import CastqText

/// Drafts that a native playlist can say, made of what is hard to write: quotes, line ends, words that look like numbers.
struct DraftGenerator {
  var random: SeededGenerator

  private static let texts = [
    "plain", "two words", "1984", "yes", "~", "null", "é ß 漢 🛰", "a: b", "- a", "# c", "\"quoted\"",
    "back\\slash", "it's",
    "x:", "http://h/p?q=1&r=%20", "0x10", "1e5", ".5", "*a", "&a", "!t", "|", ">", "{a}", "[a]", "a,b", "@",
    "`", "%", "null",
    "True", "no", "/slash/path", "trailing", "=", "<<", "12:30", "2014-02-10",
  ]
  private static let wild = [
    "", " ", "\n", "a\nb", "\t", "\u{0}", "\u{85}", "\u{2028}", "\u{FEFF}x", "\u{9B}", " a ", "\r\n",
    "\u{7F}",
  ]

  mutating func text() -> String { Self.texts.randomElement(using: &random) ?? "" }
  mutating func maybe<Value>(_ make: (inout DraftGenerator) -> Value) -> Value? {
    Bool.random(using: &random) ? make(&self) : nil
  }
  mutating func many<Value>(_ make: (inout DraftGenerator) -> Value) -> [Value] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in make(&self) }
  }
  mutating func seconds() -> MediaTime {
    MediaTime(
      seconds: Bool.random(using: &random)
        ? Double(Int.random(in: 1...5000, using: &random)) : Double.random(in: 0.001...9000, using: &random))
  }
  mutating func count() -> Int { Int.random(in: 0...5000, using: &random) }
  mutating func url() -> String {
    [
      "http://h/a.mp4", "https://h:81/p%20q/x?y=z#f", FilePath.url("/media/ä b#%.mp4"),
      FilePath.url("/media/plain.mp4"), FilePath.url("/media/new\nline\u{1B}[1m.mp4"),
      "http://h/%C3%A9?a=1&b=\"".replacing("\"", with: "%22"),
    ].randomElement(using: &random) ?? ""
  }

  mutating func json(_ depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0..<(depth > 2 ? 5 : 7), using: &random) {
    case 0: .bool(Bool.random(using: &random))
    case 1: .integer(Int64.random(in: .min ... .max, using: &random))
    case 2: .number(Double.random(in: -1e20...1e20, using: &random) / 3)
    case 3: .string((Self.texts + Self.wild).randomElement(using: &random) ?? "")
    case 4:
      depth == 0 ? .string("x") : [JSONValue.null, 1.0, 1e-7, -0.5].randomElement(using: &random) ?? .null
    case 5: .array(many { $0.json(depth + 1) })
    default:
      .object(
        Dictionary(
          many { ((Self.texts + Self.wild).randomElement(using: &$0.random) ?? "", $0.json(depth + 1)) },
          uniquingKeysWith: { first, _ in first }))
    }
  }

  mutating func color() -> MediaTextTrackStyle.Color {
    MediaTextTrackStyle.Color(text: ["#FFFFFFFF", "#00AA00FF"].randomElement(using: &random) ?? "")
  }

  mutating func word<Word: WireWord>(_ type: Word.Type) -> Word {
    Word.words.map(\.value).randomElement(using: &random) ?? Word.unknown("")
  }

  mutating func ads() -> VASTAdsRequest {
    VASTAdsRequest(adTagURL: url(), adsResponse: maybe { _ in "<VAST a='1'>\n</VAST>" })
  }

  mutating func clip(_ number: Int) -> AdBreakClipInfo {
    var clip = AdBreakClipInfo(identifier: "clip \(number)")
    clip.title = maybe { $0.text() }
    switch Int.random(in: 0...3, using: &random) {
    case 0: clip.contentID = url()
    case 1: (clip.contentID, clip.contentURL) = ("own-id", url())
    case 2: clip.contentID = "own-id"
    default: clip.vastAdsRequest = ads()
    }
    clip.contentType = clip.contentID == nil ? maybe { _ in "video/mp4" } : "video/mp4"
    clip.duration = maybe { $0.seconds() }
    clip.clickThroughURL = maybe { _ in "http://h/click?a=b" }
    clip.posterURL = maybe { $0.url() }
    clip.whenSkippable = maybe { _ in .zero }
    clip.hlsSegmentFormat = maybe { $0.word(HLSSegmentFormat.self) }
    clip.hlsVideoSegmentFormat = maybe { $0.word(HLSVideoSegmentFormat.self) }
    clip.customData = maybe { $0.json() }
    return clip
  }

  mutating func style() -> MediaTextTrackStyle {
    var style = MediaTextTrackStyle()
    style.fontScale = maybe { _ in 1.25 }
    style.foregroundColor = maybe { $0.color() }
    style.backgroundColor = maybe { $0.color() }
    style.edgeType = maybe { $0.word(MediaTextTrackStyle.EdgeType.self) }
    style.edgeColor = maybe { $0.color() }
    style.windowType = maybe { $0.word(MediaTextTrackStyle.WindowType.self) }
    style.windowColor = maybe { $0.color() }
    style.windowRoundedCornerRadius = maybe { _ in 12 }
    style.fontFamily = maybe { $0.text() }
    style.fontGenericFamily = maybe { $0.word(MediaTextTrackStyle.FontGenericFamily.self) }
    style.fontStyle = maybe { $0.word(MediaTextTrackStyle.FontStyle.self) }
    style.customData = maybe { $0.json() }
    return style
  }

  mutating func track(_ number: Int) -> MediaTrack {
    let kind = word(MediaTrack.Kind.self)
    var track = MediaTrack(identifier: number * 7, kind: kind)
    track.textSubtype = kind == .text ? word(MediaTrack.TextSubtype.self) : nil
    track.languageCode = track.textSubtype == .subtitles ? "pt-BR" : maybe { _ in "en" }
    track.contentIdentifier = maybe { $0.url() }
    track.contentType = track.contentIdentifier == nil ? maybe { _ in "text/vtt" } : "text/vtt"
    track.name = maybe { $0.text() }
    track.roles = many { $0.text() }
    track.customData = maybe { $0.json() }
    return track
  }

  mutating func metadata() -> MediaMetadata {
    var metadata = MediaMetadata(
      kind: [.generic, .movie, .tvShow, .musicTrack, .photo, .audiobookChapter, .custom(101)]
        .randomElement(using: &random) ?? .generic,
      images: many { draft in
        Image(url: draft.url(), width: draft.maybe { $0.count() + 1 }, height: draft.maybe { $0.count() + 1 })
      })
    for key in ["title", "subtitle", "artist", "seriesTitle", "location"] {
      metadata.values[key] = maybe { .string($0.text()) }
    }
    for key in ["season", "trackNumber", "sectionDuration"] {
      metadata.values[key] = maybe { .integer(Int64($0.count())) }
    }
    metadata.values["latitude"] = maybe { _ in .number(-3.5) }
    metadata.values["releaseDate"] = maybe { _ in "20140210T154700Z" }
    metadata.values["ownKey"] = maybe { $0.json() }
    return metadata
  }

  mutating func draft() -> EntryDraft {
    var media = MediaInformation(
      contentID: url(), contentType: "video/mp4", streamType: word(MediaStreamType.self),
      streamDuration: maybe { $0.seconds() })
    switch Int.random(in: 0...4, using: &random) {
    case 0: (media.contentID, media.contentURL) = (text(), url())
    case 1: media.contentID = "an-id"
    case 2:
      media.contentID = ""
      media.atvEntity = "deep://tv"
      media.entity = "deep://link"
    default: media.entity = maybe { _ in "deep://other" }
    }
    media.metadata = maybe { $0.metadata() }
    media.mediaTracks = (0..<Int.random(in: 0...3, using: &random)).map { track($0) }
    media.textTrackStyle = maybe { $0.style() }
    media.adBreakClips = (0..<Int.random(in: 0...3, using: &random)).map { clip($0) }
    let clips = media.adBreakClips.map(\.identifier)
    media.adBreaks = (0..<Int.random(in: 0...2, using: &random)).map { number in
      AdBreakInfo(
        identifier: "b\(number)", clipIdentifiers: clips.shuffled(using: &random),
        position: [.postroll, .at(.zero), .at(seconds())].randomElement(using: &random) ?? .postroll,
        duration: maybe { $0.seconds() }, isWatched: Bool.random(using: &random),
        isEmbedded: Bool.random(using: &random), isExpanded: Bool.random(using: &random))
    }
    media.hlsSegmentFormat = maybe { $0.word(HLSSegmentFormat.self) }
    media.hlsVideoSegmentFormat = maybe { $0.word(HLSVideoSegmentFormat.self) }
    media.vmapAdsRequest = maybe { $0.ads() }
    media.startAbsoluteTime = maybe { _ in 1_700_000_000.25 }
    media.customData = maybe { $0.json() }
    var draft = EntryDraft(
      media: media, autoplay: Bool.random(using: &random), startTime: maybe { $0.seconds() },
      playbackDuration: maybe { $0.seconds() }, preloadTime: maybe { $0.seconds() },
      playbackRate: maybe { _ in 1.25 },
      activeTrackIDs: maybe { $0.many { $0.count() } }, customData: maybe { ["k": $0.json()] }, origin: .local
    )
    draft.credentials = maybe { $0.text() }
    draft.credentialsType = maybe { $0.text() }
    draft.notBefore = maybe { WallTime(milliseconds: Int64($0.count())) }
    draft.notAfter = maybe { WallTime(milliseconds: 1_700_000_000_123 + Int64($0.count())) }
    for name in ["tvg-id", "tvg-chno", "info"] where Bool.random(using: &random) {
      _ = draft.foreign.add(attribute: name, text())
    }
    for tag in ForeignFields.tags + ["|", "|User-Agent="] where Bool.random(using: &random) {
      _ = draft.foreign.add(line: tag + text())
    }
    for kind in ForeignNote.Kind.allCases where Bool.random(using: &random) {
      _ = draft.foreign.add(note: ForeignNote(kind, name: text(), value: text()))
    }
    draft.onError = maybe { [.skip, .stop, .retry(3)].randomElement(using: &$0.random) ?? .skip }
    return draft
  }

  /// What a list says of itself.
  mutating func foreignOfList() -> ForeignFields {
    var fields = ForeignFields()
    for name in ["url-tvg", "refresh"] where Bool.random(using: &random) {
      _ = fields.add(list: name, text())
    }
    for kind in ForeignNote.Kind.allCases where Bool.random(using: &random) {
      _ = fields.add(note: ForeignNote(kind, name: text(), value: text(), isOfList: true))
    }
    return fields
  }
}

extension Playlist {
  /// Where a line stands in a file is no part of what it says.
  var withoutPlaces: Playlist {
    var copy = self
    for index in copy.drafts.indices { copy.drafts[index].source = nil }
    for index in (copy.fallback ?? []).indices { copy.fallback?[index].source = nil }
    return copy
  }
}

@Suite struct PlaylistRoundTripTests {
  private static let loader = MemoryLoader(media: [
    "ä b#%.mp4", "new\nline\u{1B}[1m.mp4", "plain.mp4", "subs.vtt", "poster.jpg",
  ])

  @Test(
    "what is written in castq's own format is read as the same", arguments: [PlaylistFormat.yaml, .json],
    0..<10)
  func native(format: PlaylistFormat, seed: Int) throws {
    var generator = DraftGenerator(random: SeededGenerator(seed: UInt64(seed)))
    for _ in 0..<20 {
      let playlist = Playlist(
        name: generator.maybe { $0.text() },
        repeatMode: QueueRepeat.allCases.randomElement(using: &generator.random),
        isShuffled: generator.maybe { Bool.random(using: &$0.random) }, drafts: generator.many { $0.draft() },
        fallback: generator.maybe { $0.many { $0.draft() } }, foreign: generator.foreignOfList())
      let text = NativeWriter(playlist).text(format)
      var loader = Self.loader
      loader.add("x.\(format.rawValue)", text)
      let parsed = loader.read("x.\(format.rawValue)")
      try #require(parsed.issues.filter { $0.severity == .error } == [], "\(text)")
      try #require(parsed.playlist.withoutPlaces == playlist, "\(text)")
    }
  }

  @Test("what M3U can say comes back from it; what it cannot is told")
  func m3u() {
    var loader = Self.loader
    loader.add(
      "list.m3u",
      """
      #EXTM3U
      #CASTQ-QUEUE: repeat=all shuffle=yes name="My list"
      #EXTINF:12.5,Title, with comma
      #EXTGRP:News
      #CASTQ: start=1 end=5.5 preload=3 autoplay=no rate=1.5 type=video/mp4 image=poster.jpg subtitle="a \\"b\\" \\\\ c"
      #CASTQ: tracks=subs.vtt:en:"English, UK: all",http://h/t.vtt:de metadata=movie series=S season=3 episode=4
      plain.mp4
      #EXTINF:-1,Live
      #CASTQ: live=yes type=audio/mpeg
      http://h/live
      #EXTINF:20,Poster
      poster.jpg
      #CASTQ: metadata=audiobook album=Book episode=2 title=Chapter
      http://h/a.mp3
      http://h/b.mp4
      """)
    let first = loader.read("list.m3u")
    #expect(first.issues == [])
    let writer = PlaylistWriter(first.playlist, as: .m3u)
    #expect(writer.losses == [])
    // A length that is not known is -1; 0 would be one.
    #expect(writer.text.contains("#EXTINF:-1,") && !writer.text.contains("#EXTINF:0"), "\(writer.text)")
    loader.add("again.m3u", writer.text)
    let second = loader.read("again.m3u")
    #expect(second.issues == [], "\(writer.text)")
    #expect(second.playlist.withoutPlaces == first.playlist.withoutPlaces, "\(writer.text)")

    var draft = first.playlist.drafts[0]
    draft.onError = .skip
    draft.media.textTrackStyle = MediaTextTrackStyle()
    draft.media.metadata?.values["studio"] = "S"
    var placeless = draft
    placeless.media.contentID = "id"
    #expect(
      PlaylistWriter(Playlist(drafts: [draft, placeless]), as: .m3u).losses == [
        "M3U does not hold metadata studio: entry 1", "M3U does not hold on_error: entry 1",
        "M3U does not hold style: entry 1",
        "entry 2 was left out: M3U holds files and addresses, and id is neither",
      ])
  }
}
