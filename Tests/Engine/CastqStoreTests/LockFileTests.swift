import CastqFiles
import Foundation
import Glibc
import Testing

@testable import CastqStore

@Suite("Lock files")
struct LockFileTests {
  enum Trap: CaseIterable {
    case symbolicLink, danglingLink, hardLink, pipe, folder
  }

  @Test(
    "what somebody has put in the place of a lock is neither followed nor emptied",
    arguments: Trap.allCases)
  func traps(trap: Trap) throws {
    let fixture = try StoreFixture()
    let path = "\(fixture.path).feeder-1.lock"
    let target = fixture.folder.appending(path: "diary").path
    try "12\n/tmp/x.sock\n".write(toFile: target, atomically: false, encoding: .utf8)
    switch trap {
    case .symbolicLink: #expect(symlink(target, path) == 0)
    case .danglingLink: #expect(symlink(target + "-new", path) == 0)
    case .hardLink: #expect(link(target, path) == 0)
    case .pipe: #expect(mkfifo(path, 0o600) == 0)
    case .folder: #expect(mkdir(path, 0o700) == 0)
    }
    #expect(DatabaseLock.holder(.feeder(fixture.id), of: fixture.database) == nil)
    #expect(throws: StoreError.self) {
      try DatabaseLock(.feeder(fixture.id), of: fixture.database)
    }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "12\n/tmp/x.sock\n")
    #expect(access(target + "-new", F_OK) != 0)
  }

  @Test("the lock file of another user is not trusted, except by the superuser")
  func stranger() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let descriptor = open(
      folder.appending(path: "q.lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    #expect(OwnFile.problem(of: descriptor) == nil)
    #expect(OwnFile.problem(of: descriptor, user: 0) == nil)
    #expect(OwnFile.problem(of: descriptor, user: geteuid() + 1) == .foreign(geteuid()))
  }

  @Test("a holder that is alive keeps its words while others ask for the lock")
  func held() throws {
    let fixture = try StoreFixture()
    let lock = try DatabaseLock(.feeder(fixture.id), of: fixture.database)
    lock.announce(socket: "/run/x.sock")
    #expect(throws: StoreError.self) {
      try DatabaseLock(.feeder(fixture.id), of: fixture.database)
    }
    #expect(
      DatabaseLock.holder(.feeder(fixture.id), of: fixture.database)?.socket == "/run/x.sock")
    lock.release()
  }
}
