import CastProtocol
import CastqPlaylists
import CastqText
import Synchronization
import Testing
@testable import CastqMPD

@Suite("What castq answers to clients of the Music Player Daemon", .timeLimit(.minutes(5)))
struct FaceTests {
  let source = FakeSource()
  let face: MPDFace

  init() {
    face = MPDFace(
      source: source, folders: MediaFolders(["/m"]) { FolderTests.Disk() },
      settings: MPDSettings(sleep: { _ in await FakeSource.forever() }))
  }

  /// The answer to a line, with its end.
  private func ask(_ line: String, on partition: String = "lobby") async throws -> String {
    let pieces = Mutex("")
    do {
      let request = try MPDCommand.request(MPDWords(Array(line.utf8)), permissions: .all)
      let view = MPDView(partition: partition, tags: Set(MPDTag.allCases), binaryLimit: 64)
      try await face.answer(request, view) { piece in
        pieces.withLock { $0 += String(decoding: piece, as: UTF8.self) }
      }
      return pieces.withLock { $0 } + "OK"
    } catch let failure as MPDFailure {
      return "ACK [\(failure.code.rawValue)] \(failure.message)"
    }
  }

  private func lines(_ line: String) async throws -> [String] {
    try await ask(line).split(separator: "\n").map(String.init)
  }

  @Test("the status says what plays, where it is and what is next")
  func status() async throws {
    source.fill("lobby", 3)
    let at = WallTime(milliseconds: source.now.milliseconds - 2000)
    source.show(
      "lobby",
      [
        "player_state": "PLAYING", "entry": 2, "position_s": 10.5, "duration_s": 60.0, "speed": 1.0,
        "at": .string(RFC3339.text(at)), "volume": ["level": 55, "muted": false], "queue": ["next": 3],
      ])
    let status = try await lines("status")
    for line in [
      "volume: 55", "repeat: 0", "random: 0", "single: 0", "consume: 0", "partition: lobby", "playlist: 2",
      "playlistlength: 3", "state: play", "song: 1", "songid: 2", "time: 13:60", "elapsed: 12.500",
      "duration: 60.000", "nextsong: 2", "nextsongid: 3",
    ] { #expect(status.contains(line), "\(line): \(status)") }
    #expect(
      try await lines("currentsong") == [
        "file: http://192.0.2.1/2.mp3", "Artist: Nobody", "Title: Song 2", "Pos: 1", "Id: 2", "OK",
      ])
  }

  @Test("the position goes on as the status says, and stands still while an ad plays")
  func speed() async throws {
    source.fill("lobby", 1)
    let at = WallTime(milliseconds: source.now.milliseconds - 7000)
    let status: [String: JSONValue] = [
      "player_state": "PLAYING", "entry": 1, "position_s": 10.5, "duration_s": 60.0, "rate": 1.0,
      "at": .string(RFC3339.text(at)),
    ]
    source.show("lobby", status.merging(["speed": 0]) { $1 })
    #expect(try await lines("status").contains("elapsed: 10.500"))
    source.show("lobby", status.merging(["speed": 1]) { $1 })
    #expect(try await lines("status").contains("elapsed: 17.500"))
  }

  @Test("a silent device is stopped, without a volume and a song, and answers")
  func silence() async throws {
    source.show("lobby", ["connection": "offline", "player_state": .null, "entry": .null])
    let status = try await ask("status")
    #expect(status.contains("state: stop\n") && !status.contains("volume") && !status.contains("song:"))
    #expect(try await ask("currentsong") == "OK")
    #expect(try await ask("getvol") == "OK")
    #expect(try await ask("next") == "ACK [55] Not playing")
    #expect(try await ask("seekcur 3") == "ACK [55] Not playing")
    #expect(source.calls.isEmpty)
  }

  @Test("the first client of a device waits for what is heard of it, and no longer than for a device")
  func firstStatus() async throws {
    source.show("lobby", ["connection": "connecting"])
    let running = Task { await face.run() }
    async let status = ask("status")
    source.show("lobby", ["player_state": "PAUSED", "volume": ["level": 7, "muted": false]])
    #expect(try await status.contains("volume: 7\n"))
    running.cancel()
  }

  @Test("commands are the verbs that every face has")
  func commands() async throws {
    source.fill("lobby", 3)
    source.show("lobby", ["player_state": "PLAYING", "entry": 2])
    for line in [
      "pause 1", "next", "previous", "stop", "play 2", "playid 1", "seekcur 3.25", "seekcur -10",
      "seekid 2 7",
      "seek 0 7", "setvol 40", "volume -5", "volume 5",
    ] { #expect(try await ask(line) == "OK", "\(line)") }
    let words = source.calls.map(\.words)
    #expect(
      words == [
        "pause", "next", "prev", "stop", "play 3", "play 1", "seek 3.25", "seek -10.0", "seek 7.0",
        "play 1", "seek 7.0", "volume 40", "volume -5", "volume +5",
      ])
    #expect(try await ask("play 3") == "ACK [2] Bad song index")
    #expect(try await ask("playid 9") == "ACK [50] No such song")
    #expect(try await ask("deleteid 9") == "ACK [50] No such song")
  }

  @Test("what is so already is not done again, and pausing what is stopped does nothing")
  func idempotent() async throws {
    source.fill("lobby", 1)
    source.show("lobby", ["player_state": "PLAYING", "entry": 1])
    for line in ["play", "pause 0", "repeat 0", "random 0", "single 0", "consume 0", "crossfade 0"] {
      #expect(try await ask(line) == "OK", "\(line)")
    }
    source.show("lobby", ["player_state": "IDLE"])
    for line in ["pause", "pause 1", "stop"] { #expect(try await ask(line) == "OK", "\(line)") }
    #expect(source.calls.isEmpty)
  }

  @Test("repeat and single are castq's three modes, and what castq has not is refused with words")
  func modes() async throws {
    #expect(try await ask("single 1").hasPrefix("ACK [52] single without repeat is unavailable"))
    #expect(try await ask("repeat 1") == "OK")
    #expect(try await ask("single 1") == "OK")
    var status = try await ask("status")
    #expect(status.contains("repeat: 1\n") && status.contains("single: 1\n"))
    #expect(try await ask("single 0") == "OK")
    status = try await ask("status")
    #expect(status.contains("repeat: 1\n") && status.contains("single: 0\n"))
    #expect(try await ask("random 1") == "OK")
    #expect(try await ask("status").contains("random: 1\n"))
    for line in ["consume 1", "single oneshot", "crossfade 5", "disableoutput 0"] {
      #expect(try await ask(line).hasPrefix("ACK [52]"), "\(line)")
    }
  }

  @Test("a queue that has played restarts, and an empty one stays as it is")
  func restart() async throws {
    #expect(try await ask("play") == "OK")
    #expect(source.calls.isEmpty)
    source.fill("lobby", 2)
    source.fail(Failure("nothing_playing", "nothing is left", exit: .no))
    #expect(try await ask("play") == "ACK [55] nothing is left")
    #expect(source.calls.map(\.arguments) == [[], ["1"]])
  }

  @Test("no client is told to type a command", arguments: Hint.all("lunch"))
  func hints(_ hint: Hint) async throws {
    source.fill("lobby", 1)
    source.fail(Failure("some_code", "no luck", hint: hint, exit: .tryAgain))
    #expect(try await ask("play") == "ACK [52] no luck")
  }

  @Test("songs are added, moved and removed by positions and by ids")
  func queue() async throws {
    #expect(try await ask("addid http://192.0.2.1/a.mp3") == "Id: 1\nOK")
    #expect(try await ask("add http://192.0.2.1/b.mp3") == "OK")
    #expect(try await ask("addid http://192.0.2.1/c.mp3 0") == "Id: 3\nOK")
    #expect(try await ids() == [3, 1, 2])
    #expect(try await ask("move 0 2") == "OK")
    #expect(try await ids() == [1, 2, 3])
    #expect(try await ask("moveid 3 0") == "OK")
    #expect(try await ids() == [3, 1, 2])
    #expect(try await ask("move 1:3 0") == "OK")
    #expect(try await ids() == [1, 2, 3])
    #expect(try await ask("swapid 1 3") == "OK")
    #expect(try await ids() == [3, 2, 1])
    #expect(try await ask("delete 1") == "OK")
    #expect(try await ids() == [3, 1])
    #expect(try await ask("shuffle") == "OK")
    #expect(Set(try await ids()) == [3, 1])
    #expect(try await ask("deleteid 3") == "OK")
    #expect(try await ask("clear") == "OK")
    #expect(try await ids().isEmpty)
    for line in ["delete 1", "delete 1:2", "move 1 0", "swap 0 1", "addid http://a/b 7"] {
      #expect(try await ask(line) == "ACK [2] Bad song index", "\(line)")
    }
    #expect(try await ask("addid http://a/b +0") == "ACK [55] No current song")
  }

  private func ids() async throws -> [Int] {
    try await lines("plchangesposid 0").compactMap { $0.hasPrefix("Id: ") ? Int($0.dropFirst(4)) : nil }
  }

  @Test("what is on the screen is skipped before it is removed, and an emptied queue waits for play")
  func removal() async throws {
    source.fill("lobby", 3)
    source.show("lobby", ["player_state": "PLAYING", "entry": 2, "queue": ["next": 3]])
    #expect(try await ask("delete 0") == "OK")
    #expect(try await ask("deleteid 2") == "OK")
    source.show("lobby", ["player_state": "PLAYING", "entry": 3])
    #expect(try await ask("delete 0") == "OK")
    source.show("lobby", ["player_state": "IDLE"])
    #expect(try await ask("clear") == "OK")
    // What somebody else plays is not castq's to stop.
    source.show("lobby", ["player_state": "PLAYING", "title": "A guest's", "url": "http://h/g.mp4"])
    #expect(try await ask("clear") == "OK")
    let words = source.calls.map(\.words)
    #expect(words == ["remove 1", "next", "remove 2", "stop", "remove 3", "clear", "stop", "clear"])
    #expect(try await lines("currentsong") == ["file: http://h/g.mp4", "Title: A guest's", "OK"])
  }

  @Test("a place can be relative to the song that plays")
  func relativePlaces() async throws {
    source.fill("lobby", 3)
    source.show("lobby", ["player_state": "PLAYING", "entry": 2])
    #expect(try await ask("addid http://192.0.2.1/a.mp3 +0") == "Id: 4\nOK")
    #expect(try await ids() == [1, 2, 4, 3])
    #expect(try await ask("addid http://192.0.2.1/a.mp3 -0") == "Id: 5\nOK")
    #expect(try await ids() == [1, 5, 2, 4, 3])
    #expect(try await ask("moveid 1 +1") == "OK")
    #expect(try await ids() == [5, 2, 4, 1, 3])
    #expect(try await ask("shuffle") == "OK")
    #expect(try await ids().first == 2)
  }

  @Test("a long queue is read once, and again when more is known of its files")
  func reading() async throws {
    source.fill("lobby", 1000)
    let first = try await ask("playlistinfo")
    source.entriesRead.withLock { $0 = 0 }
    #expect(try await ask("playlistinfo") == first)
    #expect(source.entriesRead.withLock { $0 } == 0)
    #expect(try await ask("move 999 0") == "OK")
    let moved = try await lines("playlistinfo")
    #expect(moved[2...4] == ["Title: Song 1000", "Pos: 0", "Id: 1000"])
    #expect(source.entriesRead.withLock { $0 } == 0, "a song that moves has the words that it had")
    source.learn("Another", 1000)
    #expect(try await lines("playlistinfo")[2] == "Title: Another")
    #expect(source.entriesRead.withLock { $0 } == 1000)
    source.fill("lobby", 1)
    #expect(try await lines("playlistinfo").contains("Title: Song 1001"))
    #expect(source.entriesRead.withLock { $0 } == 1001)
  }

  @Test("a client that wants few tags gets those alone of what was read for another one")
  func someTags() async throws {
    source.fill("lobby", 300)
    let all = try await lines("playlistinfo")
    let pieces = Mutex("")
    let view = MPDView(partition: "lobby", tags: [.artist], binaryLimit: 64)
    try await face.answer(.songs(nil), view) { piece in
      pieces.withLock { $0 += String(decoding: piece, as: UTF8.self) }
    }
    let some = pieces.withLock { $0.split(separator: "\n").map(String.init) }
    #expect(some == all.dropLast().filter { !$0.hasPrefix("Title: ") })
    #expect(some.count == 1200)
  }

  @Test("the words that are kept have a limit")
  func shelf() {
    var shelf = SongShelf()
    let facts = MPDFacts(lengths: [:], files: 0)
    let text = String(repeating: "x", count: 1 << 20)
    for number in 0..<100 {
      for queue in ["a", "b", "c", "d", "e", "f"] {
        shelf.keep(text, of: EntryID(Int64(number)), queue, facts)
      }
      #expect(shelf.bytes <= SongShelf.most)
    }
    shelf.keep(text, of: EntryID(1000), "a", facts)
    #expect(shelf.text(of: EntryID(1000), "a", facts) == text)
    #expect(shelf.text(of: EntryID(1000), "a", MPDFacts(lengths: [:], files: 1)) == nil)
    let before = shelf.bytes
    shelf.keep(text, of: EntryID(1000), "a", facts)
    #expect(shelf.bytes == before)
    shelf.forget([EntryID(1000)], of: "a")
    #expect(shelf.text(of: EntryID(1000), "a", facts) == nil && shelf.bytes == before - text.utf8.count)
  }

  @Test("a large queue is read in pages, and its changes alone when a client has the rest")
  func pages() async throws {
    source.fill("lobby", 12_733)
    let all = try await lines("playlistinfo")
    #expect(all.filter { $0.hasPrefix("Id: ") }.count == 12_733)
    #expect(source.largestPage.withLock { $0 } <= 250)
    let version = try #require(
      try await lines("status").first { $0.hasPrefix("playlist: ") }?.dropFirst(10))
    #expect(try await ask("plchanges \(version)") == "OK")
    #expect(try await ask("move 5 7") == "OK")
    #expect(
      try await lines("plchangesposid \(version)") == [
        "cpos: 5", "Id: 7", "cpos: 6", "Id: 8", "cpos: 7", "Id: 6", "OK",
      ])
    #expect(try await lines("playlistinfo 2:4").filter { $0.hasPrefix("Id") } == ["Id: 3", "Id: 4"])
    #expect(try await ask("playlistinfo 12734") == "ACK [2] Bad song index")
    #expect(try await lines("playlistid 7").contains("Pos: 5"))
  }

  @Test("a title is one line, without control characters")
  func hostileTitles() async throws {
    source.fill("lobby", 1)
    source.name("a\nId: 7\u{1B}[2J\u{202E}b", 1)
    #expect(try await lines("playlistinfo").contains("Title: a Id: 7b"))
  }

  @Test("what takes a device longer than clients wait is answered, and its failure is part of the status")
  func patience() async throws {
    var settings = MPDSettings(sleep: { _ in })
    settings.patience = .zero
    let face = MPDFace(source: source, folders: MediaFolders([]) { EmptyLoader() }, settings: settings)
    source.stick(true)
    let view = MPDView(partition: "lobby", tags: [], binaryLimit: 64)
    try await face.answer(.setVolume(3), view) { _ in }
    #expect(source.calls.count == 1)
  }

  @Test("lists are saved, listed, loaded and removed, and their names lead nowhere else")
  func lists() async throws {
    source.fill("lobby", 1)
    #expect(try await ask("save evening") == "OK")
    #expect(try await ask("save evening") == "ACK [56] Playlist already exists")
    #expect(try await lines("listplaylists").first == "playlist: evening")
    #expect(try await ask("load evening") == "OK")
    #expect(source.calls.last?.arguments == ["/lists/evening.m3u8"])
    #expect(try await ask("rm evening") == "OK")
    #expect(try await ask("rm evening") == "ACK [50] No such playlist")
    for name in ["../a", "/etc/passwd", ".hidden", "\"\"", "\"a\u{1B}b\""] {
      #expect(try await ask("load \(name)").hasPrefix("ACK [2] Bad playlist name"), "\(name)")
    }
  }

  @Test("partitions are devices, and the default one is that of the default device")
  func partitions() async throws {
    #expect(try await ask("listpartitions") == "partition: bar\npartition: lobby\nOK")
    #expect(try await face.home() == "lobby")
    #expect(try await face.partition(named: "default") == "lobby")
    let error = await #expect(throws: MPDFailure.self) { try await face.partition(named: "nowhere") }
    #expect(
      error?.line(index: 0, command: "partition") == "ACK [50@0] {partition} partition does not exist\n")
  }

  @Test("a folder is listed with what is known of its songs, and a tree by names")
  func folders() async throws {
    #expect(try await lines("lsinfo") == ["directory: Films", "file: b.mp3", "Title: Known", "OK"])
    #expect(try await lines("listall Films").first == "directory: Films")
    #expect(try await lines("listall Films").contains("file: Films/a.mkv"))
    #expect(try await lines("listallinfo Films").contains("Title: Known"))
    #expect(try await ask("lsinfo b.mp3") == "ACK [50] No such directory")
    #expect(try await ask("add Films/a.mkv") == "OK")
    #expect(source.calls.last?.arguments == ["/m/Films/a.mkv"])
  }

  @Test("pictures come in pieces of the size that the client wants")
  func pictures() async throws {
    source.fill("lobby", 1)
    source.show(
      "lobby",
      ["player_state": "PLAYING", "entry": 1, "url": "http://192.0.2.1/1.mp3", "image": "http://h/a.png"])
    let piece = try await ask("readpicture http://192.0.2.1/1.mp3 0")
    #expect(piece.hasPrefix("size: 200\ntype: image/png\nbinary: 64\n"))
    #expect(try await ask("albumart http://192.0.2.1/1.mp3 192").hasPrefix("size: 200\nbinary: 8\n"))
    #expect(try await ask("albumart http://192.0.2.1/1.mp3 201") == "ACK [2] Offset too large")
    #expect(try await ask("albumart http://192.0.2.1/2.mp3 0") == "ACK [50] No file exists")
    #expect(try await ask("readpicture x 0") == "ACK [50] No file exists", "there is no such song")
    #expect(try await ask("readpicture Films/a.mkv 0") == "OK", "a song without a picture")
    #expect(try await ask("readpicture b.mp3 128").hasPrefix("size: 150\ntype: image/jpeg\nbinary: 22\n"))
    #expect(try await ask("readpicture b.mp3 151") == "ACK [2] Offset too large")
    #expect(
      try await ask("albumart b.mp3 0") == "ACK [50] No file exists", "it is in the file and not beside it")
  }
}

/// A loader of nothing.
struct EmptyLoader: PlaylistLoader {
  var workingDirectory: String { "/" }
  func kind(of path: String) -> PathKind { .missing }
  func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8] { throw .failed("nothing") }
  func list(_ directory: String) throws(PlaylistLoadError) -> [String] { [] }
  func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8] { [] }
}
