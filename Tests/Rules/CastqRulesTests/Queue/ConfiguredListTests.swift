import CastProtocol
import CastqFeeding
import CastqPlaylists
import Testing

@Suite("Lists of the configuration")
struct ConfiguredListTests {
  private static func playlist(
    _ files: [String], repeatMode: QueueRepeat? = nil, isShuffled: Bool? = nil
  ) -> Playlist {
    let drafts = files.enumerated().map { index, file in
      EntryDraft(
        media: MediaInformation(contentID: "http://h/\(index).mp4", contentType: "video/mp4"),
        source: SourceLocation(file: file, line: 1))
    }
    return Playlist(repeatMode: repeatMode, isShuffled: isShuffled, drafts: drafts)
  }

  @Test(
    "its own are the entries that stand in the files of the list, and no entry that stands elsewhere or nowhere"
  )
  func ownership() {
    let list = ConfiguredList(Self.playlist(["/l.m3u", "/inner.m3u"]), from: "/l.m3u")
    #expect(
      list.owns(SourceLocation(file: "/inner.m3u", line: 9)) && list.owns(SourceLocation(file: "/l.m3u")))
    #expect(!list.owns(SourceLocation(file: "/other.m3u")) && !list.owns(nil))
  }

  @Test("a list plays for ever in its order when it does not say otherwise; a queue gets that once")
  func settings() {
    let plain = ConfiguredList(Self.playlist(["/l.m3u"]), from: "/l.m3u")
    #expect(plain.settings(after: nil) == (.all, false))
    #expect(plain.settings(after: plain) == (nil, nil), "what a person has set since stays")
    // The list has another value of its own: that one, and no other.
    let shuffled = ConfiguredList(Self.playlist(["/l.m3u"], isShuffled: true), from: "/l.m3u")
    #expect(shuffled.settings(after: plain) == (nil, true))
    #expect(plain.settings(after: shuffled) == (nil, false))
    let once = ConfiguredList(Self.playlist(["/l.m3u"], repeatMode: .off), from: "/l.m3u")
    #expect(once.settings(after: plain) == (.off, nil))
    // Another list is taken up, whatever it has.
    #expect(ConfiguredList(Self.playlist(["/m.m3u"]), from: "/m.m3u").settings(after: plain) == (.all, false))
  }

  @Test("what the list gave the queue goes with it, and what a person has set stays")
  func leaving() {
    let list = ConfiguredList(Self.playlist(["/l.m3u"], isShuffled: true), from: "/l.m3u")
    func leaving(_ mode: QueueRepeat, _ isShuffled: Bool) -> (QueueRepeat?, Bool?) {
      list.settings(leaving: QueueSettings(queue: "q", repeatMode: mode, isShuffled: isShuffled))
    }
    #expect(leaving(.all, true) == (.off, false))
    #expect(leaving(.one, false) == (nil, nil))
  }

  @Test("it is written and read back; anything else is none")
  func json() {
    let list = ConfiguredList(Self.playlist(["/l.m3u", "/i.m3u"], repeatMode: .one), from: "/l.m3u")
    #expect(ConfiguredList(json: list.json) == list)
    for text in [
      "{}", "[]", #"{"source":"/l","repeat":"ever","shuffle":false,"files":[]}"#, #"{"source":1}"#,
    ] {
      #expect((try? JSONValue(parsing: text)).flatMap(ConfiguredList.init(json:)) == nil)
    }
  }
}
