import Foundation
import Glibc
import Testing

/// What somebody else can put in the place of a file that castq keeps beside its database.
@Suite("Files beside the database", .timeLimit(.minutes(10)))
struct BesideFileTests {
  enum Trap: String, CaseIterable, CustomTestStringConvertible {
    case pipe, link, danglingLink, hardLink, folder, writableByOthers

    var testDescription: String { rawValue }

    /// What the refusal says of it.
    var words: String {
      switch self {
      case .pipe: "it is a pipe and not a file; remove it"
      case .link, .danglingLink: "it is a symbolic link; remove it"
      case .hardLink: "it has a second name (a hard link); remove it"
      case .folder: "it is a folder and not a file; remove it"
      case .writableByOthers: "others may write it; find out who has, then 'chmod go-w' it"
      }
    }

    func set(_ path: String, victim: String) throws {
      unlink(path)
      switch self {
      case .pipe: try #require(mkfifo(path, 0o600) == 0)
      case .link: try #require(symlink(victim, path) == 0)
      case .danglingLink: try #require(symlink("\(victim)-new", path) == 0)
      case .hardLink: try #require(Glibc.link(victim, path) == 0)
      case .folder: try #require(mkdir(path, 0o700) == 0)
      case .writableByOthers:
        try Data(Self.text.utf8).write(to: URL(filePath: path))
        try #require(chmod(path, 0o666) == 0)
      }
    }

    func remove(_ path: String) { if self == .folder { rmdir(path) } else { unlink(path) } }

    static let text = "12\n/tmp/x.sock\n"
  }

  /// A file by what comes after the database's name, the command that opens it, and how that ends.
  struct Place: Sendable, CustomTestStringConvertible {
    let name: String
    let command: [String]
    var exit: Int32 = 74

    var testDescription: String { name }
  }

  static let places = [
    Place(name: "daemon.lock", command: ["daemon"]),
    Place(name: "feeder-1.lock", command: ["run", "-d", "lobby", "http://media.example/a.mp4"]),
    Place(name: "media", command: ["daemon"]),
    Place(name: "media", command: ["run", "-d", "lobby", "http://media.example/a.mp4"]),
    Place(name: "pending", command: ["daemon"]),
    Place(name: "pending-1", command: ["run", "-d", "lobby", "http://media.example/a.mp4"]),
    Place(name: "tokens", command: ["web", "token", "ls"]),
    Place(name: "tokens", command: ["web", "token", "add", "anna", "--role", "look"]),
    Place(name: "tokens.lock", command: ["web", "token", "add", "anna", "--role", "look"]),
    Place(name: "key", command: ["report", "proof"], exit: 77),
    Place(name: "key", command: ["report", "key"], exit: 77),
  ]

  @Test(
    "what is in the place of a file that castq keeps is refused at once, in words, and neither waited for nor followed",
    arguments: places)
  func refused(place: Place) async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:9")
      let victim = try stage.file("diary", Trap.text)
      let path = "\(stage.database).\(place.name)"
      for trap in Trap.allCases {
        try trap.set(path, victim: victim)
        let ending = try await stage.start(place.command, patience: 60).ended()
        #expect(ending.exit == place.exit, "\(trap): \(ending)")
        #expect(ending.stderr.contains("castq.db.\(place.name)"), "\(trap): \(ending)")
        #expect(ending.stderr.contains(trap.words), "\(trap): \(ending)")
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == Trap.text, "\(trap)")
        #expect(access("\(victim)-new", F_OK) != 0, "\(trap) was followed")
        trap.remove(path)
      }
    }
  }

  @Test("a file of another user is refused, also of root", .enabled(if: geteuid() == 0, "needs two users"))
  func foreign() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:9")
      for name in [""] + (try FileManager.default.contentsOfDirectory(atPath: stage.folder)) {
        try #require(lchown("\(stage.folder)/\(name)", 65534, 65534) == 0)
      }
      for place in Self.places {
        let path = "\(stage.database).\(place.name)"
        // One that an earlier command made is that user's own.
        unlink(path)
        try Data(Trap.text.utf8).write(to: URL(filePath: path))
        try #require(chmod(path, 0o644) == 0)
        let command = place.command.joined(separator: " ")
        let ending = try await stage.shell(
          "exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all castq \(command)"
        ).ended()
        #expect(ending.exit == place.exit, "\(place.name): \(ending)")
        #expect(ending.stderr.contains("castq.db.\(place.name)"), "\(ending)")
        #expect(ending.stderr.contains("it belongs to another user (0); remove it"), "\(ending)")
        unlink(path)
      }
    }
  }

  @Test("what is in the place of an earlier version's lists is said, and the daemon feeds without them")
  func oldLists() async throws {
    for trap in Trap.allCases {
      try await Stage.with { stage in
        let victim = try stage.file("diary", "{}")
        try trap.set("\(stage.database).lists", victim: victim)
        let daemon = try stage.start(["daemon"])
        let line = await daemon.stderr.line(containing: trap.words)
        #expect(line?.contains("castq.db.lists") == true, "\(trap): \(daemon.stderr.text)")
        #expect(await daemon.stderr.line(containing: "ready") != nil)
        daemon.signal(SIGTERM)
        #expect(await daemon.ended().exit == 0)
      }
    }
  }

  @Test("what is in the place of a copy from before an upgrade is not offered, and not waited for")
  func schemaCopy() async throws {
    try await Stage.with { stage in
      try stage.add(device: "lobby", at: "127.0.0.1:9")
      // The number of a schema to come, in the header.
      let file = try FileHandle(forUpdating: URL(filePath: stage.database))
      try file.seek(toOffset: 60)
      try file.write(contentsOf: [0, 0, 0, 99])
      try file.close()
      let victim = try stage.file("diary", Trap.text)
      for trap in Trap.allCases {
        let path = "\(stage.database).schema-15"
        try trap.set(path, victim: victim)
        let ending = try await stage.start(["queue"], patience: 60).ended()
        #expect(ending.exit == 78, "\(trap): \(ending)")
        #expect(!ending.stderr.contains("schema-15"), "\(trap): \(ending)")
        trap.remove(path)
      }
    }
  }
}
