import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqPrograms
import Foundation
import Testing

/// The folder of prepared files, with shell scripts in the part of `ffmpeg`.
struct MediaPreparerTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "castq-prepare-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Converts by a script, in which `$out` is the path of the result.
  private func preparer(
    _ script: String = "echo made > \"$out\"", budget: Int = 100 << 20,
    allow: PreparationRules.Allowance = .video
  ) throws -> MediaPreparer {
    let path = "\(folder)/ffmpeg-\(UUID().uuidString)"
    try Data("#!/bin/sh\nfor out do :; done\nout=${out#file:}\n\(script)\n".utf8).write(
      to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return MediaPreparer(
      folder: PreparedFolder(path: cache, budget: budget), program: ChildProgram(path: path), allowance: allow
    )
  }

  private var cache: String { "\(folder)/deep/cache" }
  private var names: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? [])
  }

  private func film(_ name: String = "film.mkv", bytes: Int = 10) throws -> ProbedFile {
    let path = "\(folder)/\(name)"
    try Data(count: bytes).write(to: URL(filePath: path))
    return try #require(ProbedFile(path))
  }

  /// Matroska, of which `codec` is the pictures.
  private func decision(_ codec: String = "h264") -> PlayDecision {
    let probe = MediaProbe(
      formats: ["matroska"], streams: [MediaProbe.Stream(.video, index: 0, codec: codec)])
    return PlayRules(DeviceAbilities(model: "Chromecast", capabilities: nil), deviceName: "Lobby").decision(
      probe, declaredType: "video/x-matroska")
  }

  private func prepare(
    _ preparer: MediaPreparer, _ file: ProbedFile, _ decision: PlayDecision? = nil,
    keeping kept: Set<String> = []
  ) async -> Result<MediaPreparer.Prepared, PreparationError> {
    do throws(PreparationError) {
      return .success(
        try await preparer.prepare(file, decision ?? self.decision(), duration: 1, keeping: kept))
    } catch {
      return .failure(error)
    }
  }

  @Test("a file is converted once; another version of it, and another recipe, are other files")
  func once() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (first, never) = (try preparer(), try preparer("exit 1"))
    let file = try film()
    let made = try await prepare(first, file).get()
    #expect(!made.wasThere && made.size == 5 && made.path.hasPrefix(cache) && made.path.hasSuffix(".mp4"))
    #expect(try await prepare(never, file).get().wasThere)
    let recipe = try #require(decision().recipe)
    #expect(never.find(file, recipe) == made.path)
    #expect(try await prepare(first, file, decision("mpeg4")).get().path != made.path)
    let longer = try film(bytes: 11)
    #expect(never.find(longer, recipe) == nil)
    #expect(try await prepare(first, longer).get().path != made.path)
  }

  @Test(
    "a conversion that fails, crashes or makes nothing leaves nothing behind",
    arguments: [
      ("echo half > \"$out\"; echo broken >&2; exit 1", "broken"),
      ("echo half > \"$out\"; kill -9 $$", "signal 9"),
      ("exit 0", "could not be kept"), (": > \"$out\"", "could not be kept"),
      ("echo 'x: No space left on device' >&2; exit 1", "raise `prepare.budget`"),
      ("rm \"$out\"; mkdir \"$out\"", "could not be kept"),
    ])
  func failure(script: String, words: String) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let result = await prepare(try preparer(script), try film())
    #expect(throws: PreparationError.self) { try result.get() }
    if case .failure(let error) = result { #expect("\(error)".contains(words), "\(error)") }
    #expect(names.filter { $0.hasSuffix(".mp4") }.isEmpty)
  }

  @Test("what changes while it is converted is not kept")
  func changed() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try film()
    let result = await prepare(try preparer("echo made > \"$out\"; echo more >> '\(file.path)'"), file)
    #expect(result == .failure(.changed))
    #expect(names.isEmpty)
  }

  @Test("two processes do not convert the same file, and what a killed one left is removed")
  func twoProcesses() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try film()
    let recipe = try #require(decision().recipe)
    let name = try #require(PreparedFolder.name(of: file, recipe))
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
    let draft = "\(cache)/\(name).partial"
    // Programs that other tests start must not inherit the lock.
    let other = open(draft, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
    #expect(await prepare(try preparer(), file) == .failure(.inProgress))
    #expect(names == ["\(name).partial"])
    // As the kernel does it for a process that ends: for all that have the descriptor, were they forked a moment ago.
    flock(other, LOCK_UN)
    close(other)
    let abandoned = "\(String(repeating: "a", count: 40)).mp4.partial"
    try Data("half".utf8).write(to: URL(filePath: "\(cache)/\(abandoned)"))
    #expect(try await prepare(try preparer(), file).get().size == 5)
    #expect(names == [name])
  }

  @Test(
    "the budget holds: what was used first goes, but nothing that is needed, and nothing that is not castq's")
  func budget() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // Each result has 1 MB, and 2.5 MB may be kept.
    let preparer = try preparer("head -c 1000000 /dev/zero > \"$out\"", budget: 2_500_000)
    var made: [String] = []
    for number in 1...2 {
      let prepared = try await prepare(preparer, try film("\(number).mkv", bytes: 1_000_000)).get()
      made.append(URL(filePath: prepared.path).lastPathComponent)
    }
    try Data("mine".utf8).write(to: URL(filePath: "\(cache)/notes.txt"))
    // The first one was made first, and is used again.
    setUsed(made[0], second: 200)
    setUsed(made[1], second: 100)
    let third = try await prepare(preparer, try film("3.mkv", bytes: 1_000_000)).get()
    let last = URL(filePath: third.path).lastPathComponent
    #expect(names == [made[0], last, "notes.txt"])
    let result = await prepare(preparer, try film("4.mkv", bytes: 1_000_000), keeping: [made[0], last])
    #expect(result == .failure(.noRoom(free: 500_000, budget: 2_500_000)))
    #expect(names == [made[0], last, "notes.txt"])
  }

  @Test("a file that cannot fit costs none that is there")
  func tooLarge() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let preparer = try preparer("head -c 1000000 /dev/zero > \"$out\"", budget: 2_500_000)
    let small = try await prepare(preparer, try film("1.mkv", bytes: 1_000_000)).get()
    let result = await prepare(preparer, try film("2.mkv", bytes: 9_000_000))
    #expect(result == .failure(.noRoom(free: 1_500_000, budget: 2_500_000)))
    #expect(names == [URL(filePath: small.path).lastPathComponent])
  }

  @Test("a result that outgrows the budget is ended, and leaves nothing")
  func outgrows() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // The limit comes the moment after the start; the script waits for it.
    let script =
      "until [ \"$(ulimit -f)\" != unlimited ]; do :; done; head -c 9000000 /dev/zero > \"$out\" || kill -25 $$"
    let result = await prepare(try preparer(script, budget: 2 << 20), try film())
    #expect(result == .failure(.noRoom(free: 2 << 20, budget: 2 << 20)))
    #expect(names.isEmpty)
  }

  @Test("nothing is converted that the configuration does not allow, nor without a program")
  func allowance() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try film()
    #expect(
      await prepare(try preparer(allow: .remux), file, decision("mpeg4"))
        == .failure(.notAllowed(needed: "needs its pictures converted", allowed: "remux")))
    #expect(try await prepare(try preparer(allow: .remux), file).get().size == 5)
    #expect(
      await prepare(try preparer(allow: .off), try film("b.mkv"))
        == .failure(.notAllowed(needed: "needs another container", allowed: "off")))
    let bare = MediaPreparer(folder: PreparedFolder(path: cache, budget: 1), program: nil, allowance: .video)
    #expect(await prepare(bare, try film("c.mkv")) == .failure(.noProgram))
  }

  @Test(
    "a smaller budget removes what was used first, but nothing that is needed, and nothing that is not castq's"
  )
  func trimming() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
    let files = "abcd".map { "\(String(repeating: String($0), count: 40)).mp4" }
    for (index, name) in (files + ["notes.txt"]).enumerated() {
      try Data(count: 1000).write(to: URL(filePath: "\(cache)/\(name)"))
      setUsed(name, second: 100 + index)
    }
    func trim(_ budget: Int) -> Int {
      PreparedFolder(path: cache, budget: budget).trim(keeping: [files[0]])
    }
    #expect(trim(4000) == 0)
    #expect(trim(2500) == 2000 && names == [files[0], files[3], "notes.txt"])
    #expect(
      trim(10) == 1000 && names == [files[0], "notes.txt"], "what is needed may be more than the budget")
    #expect(trim(10) == 0)
    #expect(PreparedFolder(path: "\(folder)/none", budget: 10).trim(keeping: []) == 0)
  }

  @Test("a folder that cannot be made is said to be so")
  func noFolder() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try film()
    let preparer = MediaPreparer(
      folder: PreparedFolder(path: "\(file.path)/cache", budget: 1 << 30),
      program: ChildProgram(path: "/bin/true"),
      allowance: .video)
    guard case .failure(.folder) = await prepare(preparer, file) else {
      Issue.record("it was made")
      return
    }
  }

  private func setUsed(_ name: String, second: Int) {
    let moments = [timespec(tv_sec: second, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
    utimensat(AT_FDCWD, "\(cache)/\(name)", moments, 0)
  }
}
