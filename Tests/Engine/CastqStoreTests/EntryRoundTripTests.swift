import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing
@testable import CastqStore

@Suite("Entries as rows")
struct EntryRoundTripTests {
  static func full(_ kind: MediaMetadata.Kind) -> EntryDraft {
    var style = MediaTextTrackStyle()
    style.fontScale = 1.25
    style.edgeType = .unknown("GLOW")
    style.foregroundColor = "#FFFFFFFF"
    style.customData = ["deep": [1, nil, 2.5]]
    style.unknownMembers = ["future": true]
    var track = MediaTrack(
      identifier: 7, kind: .text, textSubtype: .captions, contentIdentifier: "https://h/t.vtt",
      contentType: "text/vtt", languageCode: "de-CH", name: "Grüezi 漢 🛰", roles: ["main", "caption"],
      customData: "word")
    track.isInband = false
    track.audioTrackInfo = AudioTrackInfo(audioCodec: "mp4a.40.2", numAudioChannels: 2)
    track.unknownMembers = ["forced": true]
    var adBreak = AdBreakInfo(
      identifier: "pre", clipIdentifiers: ["c2", "c1"], position: .at(0), duration: 12.5, isWatched: true,
      isEmbedded: true, isExpanded: true)
    adBreak.unknownMembers = ["x": 1]
    var clip = AdBreakClipInfo(identifier: "c1")
    clip.title = "Soap"
    clip.contentID = "id"
    clip.contentURL = "https://h/ad"
    clip.contentType = "video/mp4"
    clip.duration = 30
    clip.clickThroughURL = "https://h/click"
    clip.posterURL = "https://h/poster"
    clip.whenSkippable = 0
    clip.hlsSegmentFormat = .ts
    clip.hlsVideoSegmentFormat = .mpeg2TS
    clip.vastAdsRequest = VASTAdsRequest(adTagURL: "https://h/vast", adsResponse: "<VAST/>")
    clip.customData = [1, 2]
    clip.unknownMembers = ["y": nil]
    var media = MediaInformation(
      contentID: "id", contentURL: "https://h/a?b=c", contentType: nil, streamType: .unknown("ODD"),
      streamDuration: 0.1,
      metadata: MediaMetadata(
        kind: kind, images: [Image(url: "https://h/1", width: 1, height: nil), Image(url: "https://h/0")],
        values: [
          "title": "T", "subtitle": ["not": "a string"], "season": 3, "price": 1.5, "tags": ["a", ["b": []]],
        ]),
      mediaTracks: [track, MediaTrack(identifier: 2, kind: .unknown("SMELL"))], textTrackStyle: style,
      adBreaks: [adBreak, AdBreakInfo(identifier: "post", clipIdentifiers: [], position: .postroll)],
      adBreakClips: [clip, AdBreakClipInfo(identifier: "c2")], customData: nil)
    media.vmapAdsRequest = VASTAdsRequest(adTagURL: "https://h/vmap")
    media.hlsSegmentFormat = .fmp4
    media.hlsVideoSegmentFormat = .unknown("webm")
    media.mediaCategory = .video
    media.atvEntity = "tv://link"
    media.userActionStates = [UserActionState(.like)]
    media.startAbsoluteTime = 1.7e9
    media.entity = "deep://link"
    media.customData = false
    media.unknownMembers = [
      "later": ["big": .integer(.max), "small": .integer(.min), "tiny": .number(.leastNonzeroMagnitude)]
    ]
    var draft = EntryDraft(
      media: media, autoplay: false, startTime: 1.1, playbackDuration: 0.001, preloadTime: 0,
      playbackRate: 0.5,
      activeTrackIDs: [7, -1], customData: ["user": ["k": "v"]], source: SourceLocation(file: "-", line: 12))
    draft.credentials = "token"
    draft.credentialsType = "cloud"
    draft.notBefore = moment(-5)
    draft.notAfter = moment(0.001)
    draft.origin = kind == .movie ? .network : .local
    draft.foreign =
      ForeignFields(json: ["attributes": [["tvg-id", "é"], ["tvg-chno", "4"]], "lines": ["#KODIPROP:a=b"]])
      ?? ForeignFields()
    draft.onError = [EntryErrorPolicy.skip, .stop, .retry(7)][abs(kind.rawValue) % 3]
    return draft
  }

  private static var drafts: [EntryDraft] {
    var drafts = [.generic, .movie, .tvShow, .musicTrack, .photo, .audiobookChapter, .custom(101)].map(full)
    drafts.append(draft("bare"))
    var empty = draft("empty")
    empty.media.metadata = MediaMetadata()
    empty.activeTrackIDs = []
    empty.customData = JSONValue.null
    empty.source = SourceLocation(file: "whole.m3u")
    drafts.append(empty)
    var bounded = draft("the whole calendar")
    bounded.notBefore = WallTime(milliseconds: .min)
    bounded.notAfter = WallTime(milliseconds: .max)
    drafts.append(bounded)
    return drafts
  }

  @Test("an entry comes back as it was given, whatever it holds", arguments: drafts.indices)
  func lossless(index: Int) throws {
    let fixture = try StoreFixture()
    let draft = Self.drafts[index]
    let given = try fixture.queue.enqueue([draft], for: fixture.id, placement: .end, at: moment(0))
    #expect(try fixture.queue.entries(for: fixture.id) == given)
    #expect(try fixture.queue.entries(for: fixture.id).first?.draft == draft)
    #expect(try fixture.queue.look(into: fixture.id, limit: 1, besides: nil).first?.draft == draft)
  }

  @Test("when one entry cannot be kept, none is; the list it was to replace stays")
  func allOrNothing() throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a", "b"])
    let before = try fixture.dump()
    var bad = draft("bad")
    bad.startTime = -1
    for placement in [QueueStore.Placement.end, .next, .at(1), .replacing] {
      #expect(throws: StoreError.self) {
        try fixture.queue.enqueue(
          [draft("c"), bad, draft("d")], for: fixture.id, placement: placement, at: moment(0))
      }
      #expect(try fixture.dump() == before)
    }
    #expect(throws: StoreError.listGone) {
      try fixture.queue.enqueue([draft("c")], for: DeviceID(99), placement: .end, at: moment(0))
    }
  }
}
