import CastProtocol
import CastqPlaylists
import CastqText
import Synchronization
import Testing
@testable import CastqMPD

/// Every command against a queue whose addresses have secrets. A command that is new is walked by itself.
@Suite("Secrets of addresses, for clients of the Music Player Daemon", .timeLimit(.minutes(5)))
struct SecretsTests {
  private let source = FakeSource()
  private let face: MPDFace
  private static let told = "http://…@media.example/a.mp3?…"

  private static func address(_ number: Int) -> String {
    "http://SECRETUSER:SECRETPASS@media.example/a.mp3?SECRETQUERY\(number)#SECRETFRAG"
  }

  init() {
    face = MPDFace(
      source: source, folders: MediaFolders(["/m"]) { FolderTests.Disk() },
      settings: MPDSettings(sleep: { _ in await FakeSource.forever() }))
    source.fill("lobby", 2)
    source.place(Self.address(1), at: 1)
    source.name("LOAD_FAILED \(Self.address(1)): no", 1)
  }

  private func ask(_ line: String) async throws -> String {
    let pieces = Mutex("")
    do {
      let request = try MPDCommand.request(MPDWords(Array(line.utf8)), permissions: .all)
      let view = MPDView(partition: "lobby", tags: Set(MPDTag.allCases), binaryLimit: 64)
      try await face.answer(request, view) { piece in
        pieces.withLock { $0 += String(decoding: piece, as: UTF8.self) }
      }
      return pieces.withLock { $0 } + "OK"
    } catch let failure as MPDFailure {
      return failure.line(index: 0, command: "x")
    }
  }

  /// The answer while something of others is on the screen.
  private func answer(_ line: String, isFailing: Bool) async throws -> String {
    let address = JSONValue.string(Self.address(2))
    source.keepList("all", [Self.address(1)])
    source.show("lobby", ["player_state": "PLAYING", "entry": .null, "url": address, "title": address])
    if isFailing {
      source.fail(Failure("load_failed", "cannot play \(Self.address(1)): no", exit: .refused))
    }
    return try await ask(line)
  }

  @Test("no command answers with one, whatever castq's own commands fail with")
  func walk() async throws {
    var told = 0
    for isFailing in [false, true] {
      for name in MPDCommand.table.keys.sorted() {
        let arguments =
          switch name {
          case "listplaylist", "listplaylistinfo", "load": [" all"]
          case "albumart", "readpicture": [" \"\(Self.told)\" 0"]
          case "add", "addid": [" \"\(Self.told)\"", " http://h/b.mp3"]
          case "plchanges", "plchangesposid": [" 0"]
          default: ["", " 0", " 1", " 1 0", " 0:1"]
          }
        for words in arguments {
          // Some of them leave nothing for the next one.
          let answer = try await SecretsTests().answer(name + words, isFailing: isFailing)
          #expect(!answer.contains("SECRET"), "\(name)\(words): \(answer)")
          if answer.contains("media.example") { told += 1 }
        }
      }
    }
    #expect(told > 12, "the walk sees addresses: \(told)")
  }

  @Test("what a client was told leads back to the address, as long as one alone may be meant")
  func telling() async throws {
    #expect(try await ask("playlistid 1").contains("file: \(Self.told)\n"))
    #expect(try await ask("addid \"\(Self.told)\"") == "Id: 3\nOK")
    #expect(source.calls.last?.arguments == [Self.address(1)])
    source.place(Self.address(2), at: 2)
    source.fill("lobby", 1)
    #expect(try await ask("add \"\(Self.told)\"").contains("several songs have the address"))
    #expect(try await ask("add \"http://…@other.example/\"") == "ACK [50@0] {x} No such song\n")
    #expect(source.calls.count == 1)
  }

  @Test("so does the address of a song of a list, and of what is on the screen")
  func others() async throws {
    source.keepList("all", ["http://h/list.mp3?SECRET"])
    #expect(try await ask("listplaylist all") == "file: http://h/list.mp3?…\nOK")
    #expect(try await ask("add http://h/list.mp3?…") == "OK")
    #expect(source.calls.last?.arguments == ["http://h/list.mp3?SECRET"])
    source.show(
      "lobby",
      [
        "player_state": "PLAYING", "entry": .null, "url": "http://h/shown.mp3?SECRET",
        "image": "http://h/cover.png",
      ])
    #expect(try await ask("albumart http://h/shown.mp3?… 0").hasPrefix("size: 200\n"))
  }
}
