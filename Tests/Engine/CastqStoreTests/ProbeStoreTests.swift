import CastqPlaylists
import GRDB
import Testing
@testable import CastqStore

/// The memory of what files are made of.
struct ProbeStoreTests {
  private func file(_ path: String, size: Int64 = 5, modified: Int64 = .max) -> ProbedFile {
    ProbedFile(path: path, size: size, modified: modified)
  }

  private let film = ProbeResult.media(
    MediaProbe(formats: ["mov", "mp4"], duration: 7.5, streams: [.init(.video, index: 0, codec: "h264")]))

  @Test("what was kept is known of this version of the file, and of no other")
  func versions() throws {
    let store = ProbeStore(try StoreFixture().database)
    try store.keep(film, of: file("/a"), at: moment(0))
    #expect(try store.result(of: file("/a")) == film)
    #expect(try store.result(of: file("/a", size: 6)) == nil)
    #expect(try store.result(of: file("/a", modified: 4)) == nil)
    #expect(try store.result(of: file("/b")) == nil)
    try store.keep(.notMedia("Invalid data"), of: file("/a", size: 6), at: moment(1))
    #expect(try store.result(of: file("/a", size: 6)) == .notMedia("Invalid data"))
    #expect(try store.result(of: file("/a")) == nil, "a file has one version at a time")
  }

  @Test("what an earlier version kept of a failure of the program is not known, and its words are made plain")
  func earlier() throws {
    let store = ProbeStore(try StoreFixture().database)
    let failure = "ffprobe: error while loading shared libraries: libavutil.so: cannot open it"
    for words in ["Cannot allocate memory", failure] {
      try store.keep(.notMedia(words), of: file("/a"), at: moment(0))
      #expect(try store.result(of: file("/a")) == nil)
    }
    try store.keep(.notMedia("Invalid data found when processing input"), of: file("/a"), at: moment(0))
    #expect(
      try store.result(of: file("/a")) == .notMedia("ffprobe finds neither film nor sound in it"))
  }

  @Test("beyond the limit the files that were probed longest ago go")
  func bounded() throws {
    let store = ProbeStore(try StoreFixture().database, limit: 3)
    for number in 0..<5 { try store.keep(film, of: file("/\(number)"), at: moment(Double(number))) }
    #expect(try store.results(of: (0..<5).map { file("/\($0)") }).keys.sorted() == ["/2", "/3", "/4"])
  }

  @Test(
    "files are found by title, artist and album as they are written, and by nothing else",
    arguments: [
      ("elise", true), ("ELISE", true), ("beeth", true), ("100%", true), ("1000", false), ("e_ise", false),
      ("mp3", false), ("title", false), ("a remark", false), ("%", true), ("\\", false),
    ])
  func tagged(text: String, isFound: Bool) throws {
    let store = ProbeStore(try StoreFixture().database)
    let tags = [
      "title": "Für Elise", "artist": "Beethoven", "album": "100% Piano", "comment": "a remark",
    ]
    try store.keep(.media(MediaProbe(formats: ["mp3"], tags: tags)), of: file("/a"), at: moment(0))
    try store.keep(film, of: file("/b"), at: moment(0))
    try store.keep(.notMedia("Elise"), of: file("/c"), at: moment(0))
    #expect(try store.paths(tagged: text) == (isFound ? ["/a"] : []))
  }

  @Test("a row that somebody damaged counts as none", arguments: ["{\"format\":7}", "{broken}", "{}"])
  func damaged(_ document: String) throws {
    let fixture = try StoreFixture()
    let store = ProbeStore(fixture.database)
    try store.keep(film, of: file("/a"), at: moment(0))
    try fixture.outside().write {
      try $0.execute(sql: "UPDATE media_probe SET document = ?", arguments: [document])
    }
    #expect(try store.result(of: file("/a")) == nil)
  }
}
