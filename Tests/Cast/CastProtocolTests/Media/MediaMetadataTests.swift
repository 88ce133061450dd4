import CastProtocol
import Testing

@Suite("Metadata")
struct MediaMetadataTests {
  /// Protocol 11, once more.
  private static let table: [(kind: MediaMetadata.Kind, keys: String)] = [
    (.generic, "title subtitle releaseDate artist releaseYear"),
    (.movie, "title subtitle studio releaseDate releaseYear"),
    (
      .tvShow,
      "seriesTitle title subtitle season episode originalAirdate releaseDate seasonNumber episodeNumber episodeTitle releaseYear"
    ),
    (
      .musicTrack,
      "title albumName artist albumArtist composer trackNumber discNumber releaseDate songName artistName releaseYear"
    ),
    (.photo, "title artist location latitude longitude width height creationDateTime"),
    (
      .audiobookChapter, "bookTitle chapterNumber chapterTitle contentRating title subtitle"
    ),
  ]
  private static let sectionKeys =
    "sectionDuration sectionStartTimeInMedia sectionStartAbsoluteTime sectionStartTimeInContainer queueItemId posterUrl"

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }

  @Test(
    "a predefined key is sent with the kinds that have it, and an own one with all", arguments: table.indices)
  func kindsAndKeys(index: Int) {
    let (kind, text) = Self.table[index]
    let valid = Self.words(text).union(Self.words(Self.sectionKeys)).union(["com.example.own", "thumb"])
    var metadata = MediaMetadata(kind: kind)
    for key in MediaMetadata.Key.predefined { metadata[key] = "value" }
    metadata.values["com.example.own"] = 1
    metadata.values["thumb"] = "http://h/t"
    let sent = Set(metadata.json.object.map { Array($0.keys) } ?? []).subtracting(["metadataType"])
    #expect(sent == valid)
    #expect(Set(metadata.keysNotSent.map(\.rawValue)) == Set(metadata.values.keys).subtracting(valid))
    for key in MediaMetadata.Key.predefined {
      #expect(MediaMetadata.isValid(key, for: kind) == valid.contains(key.rawValue), "\(key)")
      #expect(MediaMetadata.isValid(key, for: .custom(101)))
    }
  }

  @Test("every key of every kind is predefined, and nothing else is")
  func predefined() {
    let all = Self.table.reduce(into: Self.words(Self.sectionKeys)) { $0.formUnion(Self.words($1.keys)) }
    #expect(Set(MediaMetadata.Key.predefined.map(\.rawValue)) == all)
    let deprecated = MediaMetadata.Key.predefined.filter(\.isDeprecated).map(\.rawValue)
    #expect(deprecated == ["artistName", "episodeNumber", "episodeTitle", "releaseYear", "seasonNumber"])
    #expect(!MediaMetadata.Key(rawValue: "Title").isPredefined)
  }

  @Test(
    "a key takes what it holds, and says so when it is given something else",
    arguments: MediaMetadata.Key.predefined)
  func typedValues(key: MediaMetadata.Key) throws {
    let date = try #require(MediaDate(year: 2014, month: 2, day: 10))
    func takes(_ set: (inout MediaMetadata) throws -> Void) -> Bool {
      var metadata = MediaMetadata()
      do { try set(&metadata) } catch {
        #expect(metadata == MediaMetadata())
        return false
      }
      return metadata[key] != nil
    }
    let type = key.valueType
    #expect(takes { try $0.set("some text", for: key) } == (type == .string))
    #expect(takes { try $0.set("2014-02-10", for: key) } == (type == .string || type == .date))
    #expect(takes { try $0.set(3, for: key) } == (type == .integer || type == .number || type == .time))
    #expect(takes { try $0.set(-3, for: key) } == (type == .number))
    #expect(takes { try $0.set(1.5, for: key) } == (type == .number || type == .time))
    #expect(takes { try $0.set(Double.infinity, for: key) } == false)
    #expect(takes { try $0.set(MediaTime(seconds: 2), for: key) } == (type == .time))
    #expect(takes { try $0.set(date, for: key) } == (type == .date))
  }

  @Test("an application's own key takes anything, and is read in every way that fits")
  func ownValues() throws {
    let key = MediaMetadata.Key(rawValue: "own")
    var metadata = MediaMetadata()
    try metadata.set(7, for: key)
    #expect(metadata.integer(for: key) == 7 && metadata.double(for: key) == 7 && metadata.time(for: key) == 7)
    #expect(metadata.string(for: key) == nil && metadata.date(for: key) == nil)
    try metadata.set("20140210T154700Z", for: key)
    #expect(metadata.date(for: key)?.description == "2014-02-10T15:47:00Z")
    #expect(metadata.integer(for: key) == nil && metadata.time(for: key) == nil)
    metadata[key] = 2.5
    #expect(metadata.double(for: key) == 2.5 && metadata.integer(for: key) == nil)
    metadata.removeValue(for: key)
    #expect(metadata == MediaMetadata())
  }

  @Test("an audiobook's container has its own makers; a generic one has none")
  func containers() {
    let book = MediaQueueContainerMetadata.audiobook(
      title: "Book", sections: [MediaMetadata(kind: .audiobookChapter, values: ["chapterTitle": "One"])],
      authors: ["A"], narrators: ["N"], publisher: "P", releaseDate: MediaDate(year: 2014))
    #expect(
      book.json == [
        "containerType": 1, "title": "Book", "authors": ["A"], "narrators": ["N"], "publisher": "P",
        "releaseDate": "2014", "sections": [["metadataType": 5, "chapterTitle": "One"]],
      ])
    #expect(MediaQueueContainerMetadata(title: "Album").json == ["containerType": 0, "title": "Album"])
    #expect(MediaQueueContainerMetadata(json: ["containerType": 9])?.kind == .unknown(9))
  }
}
