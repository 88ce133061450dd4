import CastProtocol
import CastqPlaylists
import Testing

@Suite struct JSPFParserTests {
  private static let mixtape = """
    {"playlist": {
      "title": "Mixtape", "creator": "Someone", "date": "2005-01-08T17:10:47-05:00",
      "meta": [{"http://example.org/rel": "value"}],
      "track": [
        {"location": ["http://host/a.mp3", "http://mirror/a.mp3"], "identifier": ["urn:1"], "title": "First",
         "creator": "Band", "album": "Record", "trackNum": 1, "duration": 271066, "image": "http://host/a.jpg",
         "link": [{"http://foaf.example": "http://host"}], "extension": {"http://host": []}},
        {"location": ["gone.mp4", "my%20film.mp4"], "annotation": "Best", "title": "Second", "duration": 0},
        {"location": ["file:///media/b.mp4"], "title": null}
      ]}}
    """

  private func read(_ text: String, as name: String = "list.jspf") -> ParsedPlaylist {
    var loader = MemoryLoader(media: ["my film.mp4", "b.mp4"])
    loader.add(name, text)
    return loader.read(name)
  }

  @Test("a list with everything the format has", arguments: ["list.jspf", "list.json"])
  func everything(name: String) {
    let parsed = read(Self.mixtape, as: name)
    #expect(parsed.messages.isEmpty)
    #expect(parsed.playlist.name == "Mixtape")
    let drafts = parsed.playlist.drafts
    #expect(
      drafts.map { $0.media.contentURL ?? $0.media.contentID } == [
        "http://host/a.mp3", "file:///media/my%20film.mp4", "file:///media/b.mp4",
      ])
    #expect(drafts.map { $0.media.metadata?.title } == ["First", "Second", nil])
    #expect(drafts.map { $0.media.streamDuration?.seconds } == [271.066, nil, nil])
    #expect(drafts[0].value("trackNumber") == .integer(1) && drafts[1].value("subtitle") == .string("Best"))
    #expect(drafts[0].value("artist") == .string("Band"))
    #expect(drafts[0].value("albumName") == .string("Record"))
    #expect(drafts[0].media.metadata?.images.map(\.url) == ["http://host/a.jpg"])
  }

  @Test("standard input is recognised by its one member")
  func standardInput() {
    var loader = MemoryLoader()
    loader.standardInput = Array(#"{"playlist":{"track":[{"location":["http://h/a.mp4"]}]}}"#.utf8)
    let parsed = loader.read("-")
    #expect(parsed.messages.isEmpty)
    #expect(parsed.playlist.drafts.count == 1)
  }

  @Test("a wrong value is reported with its place, and nothing else is lost")
  func wrongValues() {
    let parsed = read(
      """
      {"playlist": {"title": [7], "track": [
      {"location": ["http://h/a.mp4"], "duration": "long"},
      {"title": "Nowhere"},
      "http://h/b.mp4",
      {"location": ["http://h/c.mp4"], "album": ["x"]}
      ]}}
      """)
    #expect(
      parsed.messages == [
        "1:24: warning: `title` is a list, not text",
        "2:46: warning: `duration` is not a number of milliseconds",
        "3:1: the track has no `location`, so it was left out",
        "4:1: the track is text; write a mapping",
        "5:43: warning: `album` is a list, not text",
      ])
    #expect(parsed.playlist.drafts.count == 2)
  }

  @Test(
    "what is no such list is refused in words",
    arguments: [
      ("[1]", "1:1: no mapping `playlist`, which holds the tracks in JSPF"),
      (#"{"playlist": {}}"#, "1:14: the playlist has no list `track`"),
      (#"{"playlist": {"track": {}}}"#, "1:24: the playlist has no list `track`"),
    ])
  func refused(text: String, message: String) {
    let parsed = read(text)
    #expect(parsed.messages == [message])
    #expect(parsed.playlist.drafts.isEmpty)
  }

  @Test("a list from the web names no local file")
  func fromTheWeb() {
    var loader = MemoryLoader(media: ["b.mp4"])
    let text = #"{"playlist":{"track":[{"location":["file:///media/b.mp4"]},{"location":["c.mp4"]}]}}"#
    loader.web["http://h/x.jspf"] = FetchedPlaylist(bytes: Array(text.utf8), address: "http://h/x.jspf")
    let parsed = loader.read("http://h/x.jspf")
    #expect(parsed.playlist.drafts.map { $0.media.contentURL ?? $0.media.contentID } == ["http://h/c.mp4"])
    #expect(parsed.messages.count == 1)
  }
}
