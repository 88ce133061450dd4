import CastGuard
import CastProtocol
import CastqDaemon
import CastqOperations
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Foundation
import Testing

@Suite("The library")
struct MediaLibraryTests {
  private let site: OperationsSite
  private let workspace: Workspace
  private let library: MediaLibrary
  private let art = ArtBook(allowing: { _ in LocalPlaces() })

  /// Films, music and pictures, a hidden file, links within and out of the folder, and what is no media. Nothing reads files.
  init() throws {
    site = try OperationsSite()
    for folder in ["media/films/old", "media/music", "secret"] { try site.folder(folder) }
    for name in [
      "media/films/b.mp4", "media/films/a 10.mp4", "media/films/a 2.mp4", "media/films/old/c.avi",
      "media/music/elise.mp3", "media/night <b>.png", "media/.hidden.mp4", "media/list.m3u", "secret/x.mp4",
    ] { try site.file(name, "x") }
    let links = FileManager.default
    try links.createSymbolicLink(
      atPath: "\(site.folder)/media/out.mp4", withDestinationPath: "\(site.folder)/secret/x.mp4")
    try links.createSymbolicLink(
      atPath: "\(site.folder)/media/in.mp4", withDestinationPath: "\(site.folder)/media/films/b.mp4")
    try site.configure("library: {folders: [\(site.folder)/media]}\nprograms: {ffprobe: off, ffmpeg: off}\n")
    workspace = try Workspace(site.call)
    library = MediaLibrary(site.call, workspace, art)
  }

  private func ask(_ change: (inout LibraryQuery) -> Void = { _ in }) async throws -> JSONValue {
    var query = LibraryQuery()
    change(&query)
    return try await library.document(query)
  }

  private func names(_ document: JSONValue) -> [String] {
    document["items"]?.array?.compactMap { $0["name"]?.string } ?? []
  }

  /// Remembers what a file is made of, as if it had been read.
  private func know(_ name: String, _ tags: [String: String]) throws {
    let path = "\(site.folder)/media/\(name)"
    let file = try #require(ProbedFile(path))
    let probe = MediaProbe(
      formats: ["mp3"], duration: 178, streams: [.init(.audio, index: 0, codec: "mp3")], tags: tags)
    try ProbeStore(workspace.database).keep(.media(probe), of: file, at: WallTime(milliseconds: 1))
  }

  @Test(
    "what is in the folders is there, in natural order, and nothing hidden, linked from elsewhere or of another kind"
  )
  func contents() async throws {
    let document = try await ask()
    #expect(
      names(document) == [
        "films/old/c.avi", "films/a 2.mp4", "films/a 10.mp4", "films/b.mp4", "music/elise.mp3", "in.mp4",
        "night <b>.png",
      ])
    #expect(document["folders"]?.array?.compactMap { $0["title"]?.string } == ["films", "music"])
    #expect(document["total"] == 7 && document["open"] == 0 && document["problems"] == [])
  }

  @Test("no whole path is in the document")
  func paths() async throws {
    #expect(try await !ask().text.contains(site.folder))
  }

  @Test(
    "kinds, folders and words choose, and pages follow each other",
    arguments: [
      ("music", "", "", 0, ["music/elise.mp3"]), ("pictures", "", "", 0, ["night <b>.png"]),
      ("films", "", "films", 3, ["films/b.mp4"]),
      ("all", "FILMS a", "", 0, ["films/old/c.avi", "films/a 2.mp4", "films/a 10.mp4"]),
      ("all", "nothing", "", 0, []), ("all", "", "films/old", 0, ["films/old/c.avi"]), ("ads", "", "", 0, []),
    ])
  func choices(kind: String, words: String, folder: String, from: Int, expected: [String]) async throws {
    let document = try await ask { query in
      query.kind = LibraryQuery.Kind(rawValue: kind) ?? .all
      (query.words, query.folder, query.from) = (words, folder, from)
    }
    #expect(names(document) == expected)
  }

  @Test("tags give the title, the second line and the length, and are searched")
  func tags() async throws {
    try know("music/elise.mp3", ["title": "Für Elise", "artist": "Beethoven", "album": "100% Piano"])
    for words in ["elise", "beethoven", "100% piano"] {
      let found = try await ask { $0.words = words }
      let item = try #require(found["items"]?.array?.first)
      #expect(item["title"] == "Für Elise" && item["subtitle"] == "Beethoven · 100% Piano")
      #expect(item["duration_s"]?.double == 178 && item["kind"] == "music")
    }
    #expect(try await names(ask { $0.words = "artist" }).isEmpty, "the names of tags are no words")
  }

  @Test("a file that was added, and a folder that came, are there at once")
  func changes() async throws {
    _ = try await ask()
    try site.file("media/music/new.mp3", "x")
    try site.folder("media/more")
    try site.file("media/more/z.mp4", "x")
    let document = try await ask()
    #expect(names(document).contains("music/new.mp3") && names(document).contains("more/z.mp4"))
  }

  @Test("a folder that is gone is a sentence, and the others are there")
  func gone() async throws {
    try site.configure(
      "library: {folders: [\(site.folder)/media, \(site.folder)/gone]}\nprograms: {ffprobe: off, ffmpeg: off}\n"
    )
    let document = try await ask()
    #expect(document["problems"]?.array?.first?.string?.hasPrefix("gone cannot be read") == true)
    #expect(names(document).contains("media/films/b.mp4"))
    let wrong = try await ask { $0.folder = "../secret" }
    #expect(wrong["problems"]?.array?.count == 1 && names(wrong).isEmpty)
  }

  @Test("without `library` the folders are those of `mpd`, and without either there is nothing to show")
  func configuration() async throws {
    try site.configure("mpd: {folders: \(site.folder)/media/music}\n")
    #expect(try await names(ask()) == ["elise.mp3"])
    try site.configure("timezone: UTC\n")
    #expect(try await ask()["configured"] == false)
  }

  @Test("a picture of the library is passed on by its digest, and says where it plays")
  func pictures() async throws {
    let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 7]
    try Data(bytes).write(to: URL(filePath: "\(site.folder)/media/night <b>.png"))
    let item = try #require(try await ask { $0.kind = .pictures }["items"]?.array?.first)
    #expect(try await art.picture(item["art"]?.string ?? "").bytes == bytes)
    #expect(item["plays"] == "plays everywhere" && item["title"] == "night <b>")
  }

  // MARK: - Programmes

  private func making() throws -> ProgrammeMaking { ProgrammeMaking(try site.schedule(), library) }

  private func source(_ name: String) throws -> String {
    try site.schedule().ask { (store) throws(StoreError) in try store.programme(name).programme.source }
  }

  @Test("files of the library become a programme with a list of castq's own, and others can be added to it")
  func programme() async throws {
    let files = ["music/elise.mp3", "films/b.mp4"]
    let problem = try await making().make("Evening / 1", source: nil, files: files, shuffles: true)
    #expect(problem == nil)
    try await making().add(["films/old"], to: "Evening / 1")
    let read = try await site.read(source("Evening / 1"))
    #expect(
      read.drafts.map { MediaTitle.name(of: $0.media.url) } == ["elise.mp3", "b.mp4", "c.avi"])
    let shelf = ProgrammeShelf(site.call, library, art)
    let document = try #require(try await shelf.document()["programmes"]?.array?.first)
    #expect(document["can_add"] == true && document["words"] == "3 entries")
  }

  @Test("one folder and one file are programmes as they are, so that a folder's new files come by themselves")
  func alone() async throws {
    _ = try await making().make("Music", source: nil, files: ["music"], shuffles: false)
    _ = try await making().make("Film", source: nil, files: ["films/b.mp4"], shuffles: false)
    #expect(try source("Music") == "\(site.folder)/media/music")
    #expect(try source("Film") == "\(site.folder)/media/films/b.mp4")
    await expectFailure(.usage, saying: "a list of its own") {
      try await making().add(["films/b.mp4"], to: "Music")
    }
  }

  @Test("a name that is taken, no file, and a file from elsewhere make no programme")
  func refused() async throws {
    try await site.add(programmes: "menus")
    await expectFailure(.badData, saying: "already") {
      _ = try await making().make("menus", source: nil, files: ["films/b.mp4"], shuffles: false)
    }
    await expectFailure(.usage, saying: "choose files") {
      _ = try await making().make("New", source: nil, files: [], shuffles: false)
    }
    for name in ["out.mp4", "../secret/x.mp4", ".hidden.mp4"] {
      await expectFailure(.inputMissing, saying: "no file") {
        _ = try await making().make("New", source: nil, files: [name], shuffles: false)
      }
    }
    #expect(try site.names(.programmes, "programme") == ["menus"])
  }

  @Test("what shares play are advertisements")
  func ads() async throws {
    _ = try await making().make("Sale", source: nil, files: ["films/b.mp4"], shuffles: false)
    let shelf = ProgrammeShelf(site.call, library, art)
    #expect(await shelf.ads().isEmpty)
    let share = ScheduleRule(
      id: RuleID(1), name: "cola", programme: "Sale", kind: .share(ShareTerms(secondsPerHour: 180)),
      form: .always)
    _ = try await site.schedule().add(share, playing: "Sale", replaces: false)
    #expect(await shelf.ads() == ["\(site.folder)/media/films/b.mp4"])
    var query = LibraryQuery()
    query.kind = .ads
    let document = try await library.document(query) { await shelf.ads() }
    #expect(names(document) == ["films/b.mp4"] && document["items"]?.array?.first?["ad"] == true)
    let programme = try await shelf.document()["programmes"]?.array?.first
    #expect(programme?["words"] == "1 entry · ad share, 180 s an hour on lobby")
  }

  @Test(
    "an entry whose program is missing is refused when it is added, with the reason, and the others are added"
  )
  func obstacles() async throws {
    try site.configure("resolvers: [{match: [youtube.com], run: /nowhere/yt-dlp}]\n")
    let queue = try await site.queue()
    let request = SourceRequest(sources: ["https://www.youtube.com/watch?v=1", "http://192.0.2.1/a.mp4"])
    let list = await queue.readPlayable(request, isStrict: false)
    #expect(list.drafts.count == 1 && list.errors.first?.message.contains("yt-dlp") == true)
    let alone = await queue.readPlayable(
      SourceRequest(sources: ["https://www.youtube.com/watch?v=1"]), isStrict: false)
    #expect(throws: Failure.self) { try alone.requireSomething() }
    await expectFailure(.badData, saying: "yt-dlp") {
      _ = try await making().make(
        "Tube", source: "https://www.youtube.com/watch?v=1", files: [], shuffles: false)
    }
  }
}
