import CastProtocol
import CastqFeeding
import CastqPlaylists
import Foundation
import GRDB
import Glibc
import Testing
@testable import CastqStore

@Suite("The database file")
struct DatabaseFileTests {
  @Test("commits reach the disk, readers are not locked out, and nobody else can read the file")
  func settings() throws {
    let fixture = try StoreFixture()
    let synchronous = try fixture.database.outsideTransaction {
      try Int.fetchOne($0, sql: "PRAGMA synchronous")
    }
    #expect(synchronous == 2, "it is FULL")
    #expect(try fixture.outside().read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    var status = stat()
    #expect(stat(fixture.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    let deep = fixture.folder.appending(path: "x/y/q.db").path
    _ = try CastqStore.Database(path: deep)
    #expect(stat(fixture.folder.appending(path: "x").path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
  }

  @Test("opening and reading write nothing")
  func reading() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "q.db")
    func open() throws -> [KnownDevice] { try DeviceStore(CastqStore.Database(path: file.path)).all() }
    _ = try open()
    let before = try Data(contentsOf: file)
    _ = try open()
    #expect(try Data(contentsOf: file) == before)
  }

  @Test("the file is opened again with all that was in it; the identity of its queue stays")
  func reopen() throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a"])
    let identity = try fixture.queue.settings(for: fixture.id).queue
    let again = try QueueStore(CastqStore.Database(path: fixture.path))
    #expect(try again.entries(for: fixture.id).map(\.draft.media.contentID) == ["a"])
    #expect(try again.settings(for: fixture.id).queue == identity)
    let other = try StoreFixture()
    #expect(try other.queue.settings(for: other.id).queue != identity)
  }

  /// The kind of error that opening this path ends with.
  private func refusal(_ path: String) -> String {
    do {
      _ = try CastqStore.Database(path: path)
      return "opened"
    } catch {
      switch error {
      case .cannotCreate: return "cannotCreate"
      case .readOnly: return "readOnly"
      case .corrupt: return "corrupt"
      case .tooNew: return "tooNew"
      default: return "\(error)"
      }
    }
  }

  @Test("what is no database of ours is named as what it is")
  func strangers() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String) -> String { folder.appending(path: name).path }
    #expect(refusal(folder.path) == "cannotCreate")
    #expect(refusal("/proc/castq/q.db") == "cannotCreate")
    try Data("q".utf8).write(to: folder.appending(path: "plain"))
    #expect(refusal(file("plain") + "/q.db") == "cannotCreate")
    try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: folder.appending(path: "g"))
    #expect(refusal(file("g")) == "corrupt")
    try DatabaseQueue(path: file("foreign")).write { try $0.execute(sql: "CREATE TABLE mail (id)") }
    #expect(refusal(file("foreign")) == "corrupt")
    let tables = try DatabaseQueue(path: file("foreign")).read {
      try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema")
    }
    #expect(tables == ["mail"])
    _ = try CastqStore.Database(path: file("new"))
    try DatabaseQueue(path: file("new")).write { try $0.execute(sql: "PRAGMA user_version = 99") }
    #expect(refusal(file("new")) == "tooNew")
    #expect(
      throws: StoreError.tooNew(path: file("new"), version: 99, known: CastqStore.Database.version, copy: nil)
    ) {
      try CastqStore.Database(path: file("new"))
    }
    // An empty file is as good as none.
    try Data().write(to: folder.appending(path: "empty"))
    #expect(refusal(file("empty")) == "opened")
  }

  @Test("a file or folder that may not be written is named as such")
  func permissions() throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a"])
    let closed = fixture.folder.appending(path: "closed").path
    #expect(mkdir(closed, 0o500) == 0)
    #expect(chmod(fixture.path, 0o444) == 0)
    #expect(chmod(fixture.folder.path, 0o555) == 0)
    defer { chmod(fixture.folder.path, 0o700) }
    try withoutPrivilege {
      #expect(refusal(fixture.path) == "readOnly")
      #expect(refusal(closed + "/q.db") == "cannotCreate")
      #expect(refusal(closed + "/deeper/q.db") == "cannotCreate")
    }
  }

  /// Permissions do not hold for the superuser: this thread alone touches files as nobody.
  private func withoutPrivilege(_ body: () throws -> Void) throws {
    let becomeFileUser = try #require(dlsym(nil, "setfsuid"))
    let become = unsafeBitCast(becomeFileUser, to: (@convention(c) (uid_t) -> CInt).self)
    if geteuid() == 0 { _ = become(65534) }
    defer { if geteuid() == 0 { _ = become(0) } }
    try body()
  }

  @Test("whoever may only read a list sees what is due behind a damaged entry")
  func damagedForReader() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    // Nobody has this file open, so that a reader without shared memory looks at a copy.
    let folder = fixture.folder.appending(path: "closed").path
    #expect(mkdir(folder, 0o700) == 0)
    let path = folder + "/q.db"
    try fixture.database.backUp(to: path)
    let editor = try DatabaseQueue(path: path)
    try editor.write {
      try $0.execute(sql: "UPDATE media_item SET custom_data = 's3cret' WHERE content_id = 'a'")
    }
    try editor.close()
    _ = try CastqStore.Database(path: path)
    #expect(chmod(fixture.folder.path, 0o755) == 0 && chmod(path, 0o444) == 0 && chmod(folder, 0o555) == 0)
    defer { chmod(folder, 0o700) }
    try withoutPrivilege {
      let database = try CastqStore.Database.reading(path: path)
      #expect(database.isReadOnly)
      let upcoming = try QueueStore(database).look(into: fixture.id, limit: 2, besides: nil, at: moment(0))
      #expect(upcoming.map(\.entry) == [ids[1]])
      #expect(database.takeDamage().count == 1)
    }
  }

  @Test("SQLite takes options behind a file's name: a list that nobody may write to is read by one")
  func fileNames() throws {
    let options = try StoreFixture().outside().read { try String.fetchAll($0, sql: "PRAGMA compile_options") }
    #expect(options.contains("USE_URI"), "this SQLite was built without SQLITE_USE_URI: \(options)")
  }

  @Test("the token changes when somebody else has written, and only then")
  func changeToken() throws {
    let fixture = try StoreFixture()
    let before = try fixture.database.changeToken()
    try fixture.enqueue(["a"])
    #expect(try fixture.database.changeToken() == before)
    let other = try CastqStore.Database(path: fixture.path)
    #expect(try fixture.database.changeToken() == before)
    try QueueStore(other).clear(for: fixture.id)
    let after = try fixture.database.changeToken()
    #expect(after != before)
    _ = try QueueStore(other).entries(for: fixture.id)
    #expect(try fixture.database.changeToken() == after)
  }

  private static let writer = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
    print("ready", flush=True)
    for i in range(int(sys.argv[2])):
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO media_item (content_id, stream_type) VALUES (?, 'BUFFERED')", (f"p{i}",))
        db.execute("INSERT INTO queue_entry (queue_id, device_id, media_item_id, position, created_at) SELECT 1, 1, "
                   "last_insert_rowid(), coalesce(max(position), 0) + 1, 0 FROM queue_entry WHERE queue_id = 1")
        db.execute("COMMIT")
        print(i, flush=True)
    """

  @Test("two connections and another program write at once: nothing is lost, nobody fails")
  func together() async throws {
    let fixture = try StoreFixture()
    let outside = try OutsideProcess(Self.writer, [fixture.path, "40"])
    #expect(outside.line() == "ready")
    let path = fixture.path
    let device = fixture.id
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["x", "y"] {
        group.addTask {
          let queue = try QueueStore(CastqStore.Database(path: path))
          for index in 0..<40 {
            _ = try queue.enqueue([draft("\(name)\(index)")], for: device, placement: .end, at: moment(0))
          }
        }
      }
      try await group.waitForAll()
    }
    for index in 0..<40 { #expect(outside.line() == "\(index)") }
    #expect(outside.wait() == 0)
    let titles = try fixture.titles()
    #expect(titles.count == 120)
    for name in ["x", "y", "p"] {
      #expect(titles.filter { $0.hasPrefix(name) } == (0..<40).map { "\(name)\($0)" })
    }
  }

  @Test("no columns are noted for observers that there are not")
  func unobserved() throws {
    let region = try StoreFixture().database.read {
      try $0.makeStatement(sql: "SELECT title FROM play").databaseRegion
    }
    #expect(region.isEmpty)
  }

  private static let visitor = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    db.execute("CREATE TABLE guest (id)")
    db.commit()
    db.close()
    print("gone", flush=True)
    """

  @Test("opening the file a second time takes no lock away from who has it open")
  func openedTwice() throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a"])
    let second = try CastqStore.Database(path: fixture.path)
    let outside = try OutsideProcess(Self.visitor, [fixture.path])
    #expect(outside.line() == "gone")
    #expect(outside.wait() == 0)
    // Whoever believes to be the last one deletes it.
    #expect(access(fixture.path + "-wal", F_OK) == 0)
    try QueueStore(second).clear(for: fixture.id)
    #expect(try fixture.titles() == [])
  }

  @Test("a writer that is killed leaves a whole database with everything it had committed")
  func killed() throws {
    let fixture = try StoreFixture()
    let outside = try OutsideProcess(Self.writer, [fixture.path, "1000000"])
    #expect(outside.line() == "ready")
    var last = ""
    for _ in 0..<25 { last = outside.line() }
    #expect(last == "24")
    outside.kill()
    try fixture.enqueue(["after"])
    #expect(try fixture.outside().read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    let titles = try fixture.titles()
    #expect(titles.count >= 26)
    #expect(titles == (0..<(titles.count - 1)).map { "p\($0)" } + ["after"])
  }

  private static let holder = """
    import fcntl, signal, sys
    f = open(sys.argv[1], "w")
    fcntl.flock(f, fcntl.LOCK_EX)
    f.write("4242\\n"); f.flush()
    print("held", flush=True)
    signal.pause()
    """

  @Test("a feeder says where it can be spoken to, for as long as it feeds; asking keeps nobody out")
  func holder() throws {
    let fixture = try StoreFixture()
    func holder() -> DatabaseLock.Holder? {
      DatabaseLock.holder(.feeder(fixture.id), of: fixture.database)
    }
    #expect(holder() == nil)
    let lock = try DatabaseLock(.feeder(fixture.id), of: fixture.database)
    #expect(holder()?.process == getpid())
    #expect(holder()?.socket == nil)
    lock.announce(socket: "/run/a b.sock")
    #expect(holder()?.socket == "/run/a b.sock")
    lock.release()
    #expect(holder() == nil)
    _ = try DatabaseLock(.feeder(fixture.id), of: fixture.database)
  }

  @Test("one feeder holds a device; the lock is free as soon as its holder is gone, however it went")
  func lock() throws {
    let fixture = try StoreFixture()
    let other = DeviceID(2)
    do {
      let mine = try DatabaseLock(.feeder(fixture.id), of: fixture.database)
      let error = #expect(throws: StoreError.self) {
        _ = try DatabaseLock(.feeder(fixture.id), of: fixture.database)
      }
      let words = error?.description ?? ""
      #expect(words.contains("(process \(getpid()))"))
      _ = try DatabaseLock(.feeder(other), of: fixture.database)
      withExtendedLifetime(mine) {}
    }
    let lockFile = "\(fixture.path).feeder-\(fixture.id.rawValue).lock"
    let outside = try OutsideProcess(Self.holder, [lockFile])
    #expect(outside.line() == "held")
    let error = #expect(throws: StoreError.self) {
      _ = try DatabaseLock(.feeder(fixture.id), of: fixture.database)
    }
    let words = error?.description ?? ""
    #expect(words.contains("(process 4242)"))
    outside.kill()
    _ = try DatabaseLock(.feeder(fixture.id), of: fixture.database)
  }
}
