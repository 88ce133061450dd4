import Foundation
import Testing

/// docs/security.md against the programs.
@Suite("docs/security.md", .timeLimit(.minutes(10)))
struct SecurityPageTests {
  /// The files of the page's table, each name with its mode.
  private func documented() throws -> [(names: [String], mode: Int)] {
    let page = try String(contentsOf: Programs.clone.appending(path: "docs/security.md"), encoding: .utf8)
    return page.split(separator: "\n").filter { $0.hasPrefix("| `castq.db") }.compactMap { row in
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count > 1, let mode = Int(cells[1], radix: 8) else { return nil }
      let names = cells[0].split(separator: ",").map { $0.trimmingCharacters(in: [" ", "`", "/"]) }
      return (names.map { $0.hasPrefix("-") ? "castq.db\($0)" : $0 }, mode)
    }
  }

  @Test("every file that castq makes beside its database is in the table, with its mode, whatever the umask")
  func files() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("song.wav", seconds: Stage.outlasting)
      _ = try await stage.castq("web", "token", "add", "anna", "--role", "look")
      try await stage.castq("enqueue", "song.wav")
      let daemon = try stage.shell("umask 0; exec castq daemon")
      #expect(await daemon.stderr.line(containing: "ready") != nil, "\(daemon.stderr.text)")
      #expect(await receiver.playing() != nil)
      let proof = try await stage.castq("report", "proof")
      #expect(proof.exit == 0, "\(proof)")
      let table = try documented()
      #expect(table.count > 5)
      let made = try FileManager.default.contentsOfDirectory(atPath: stage.folder)
        .filter { $0.hasPrefix("castq.db") && !$0.hasSuffix(".sock") }
      #expect(made.contains("castq.db.key") && made.contains("castq.db.tokens"), "\(made)")
      for name in made {
        let general = name.replacing(/-[0-9]+\.lock$/, with: "-N.lock")
        let mode =
          try FileManager.default.attributesOfItem(atPath: "\(stage.folder)/\(name)")[
            .posixPermissions] as? Int
        #expect(table.contains { $0.names.contains(general) && $0.mode == mode }, "\(name) \(mode ?? 0)")
      }
      let socket = try FileManager.default.attributesOfItem(atPath: "\(stage.folder)/castq.db.daemon.sock")
      #expect(socket[.posixPermissions] as? Int == 0o600)
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }

  /// The doors of the page's table: the programs that have it, and where it is unless set.
  private func doors() throws -> [(name: String, programs: Set<String>, place: String)] {
    let page = try String(contentsOf: Programs.clone.appending(path: "docs/security.md"), encoding: .utf8)
    return page.split(separator: "\n").drop { !$0.hasPrefix("| door") }.dropFirst(2)
      .prefix { $0.hasPrefix("|") }.map { row in
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let programs = cells[1].split(separator: ",").map { $0.trimmingCharacters(in: [" ", "`"]) }
        return (cells[0], Set(programs), cells[2])
      }
  }

  /// The addresses at which a process accepts TCP, as `/proc` has them.
  private func listening(_ process: pid_t) throws -> [(isLoopback: Bool, port: Int)] {
    let files = FileManager.default
    let folder = "/proc/\(process)/fd"
    let sockets = Set(
      try files.contentsOfDirectory(atPath: folder).compactMap {
        try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      })
    var ports: [(isLoopback: Bool, port: Int)] = []
    for kind in ["tcp", "tcp6"] {
      let table = try String(contentsOfFile: "/proc/\(process)/net/\(kind)", encoding: .utf8)
      for line in table.split(separator: "\n").dropFirst() {
        let cells = line.split(separator: " ", omittingEmptySubsequences: true)
        guard cells.count > 9, cells[3] == "0A", sockets.contains("socket:[\(cells[9])]") else { continue }
        let address = cells[1].split(separator: ":")
        ports.append((address[0] == "0100007F", Int(address[1], radix: 16) ?? 0))
      }
    }
    return ports
  }

  @Test("every port at which a program listens is in the table, and is where the table says")
  func ports() async throws {
    let table = try doors()
    #expect(table.count == 6)
    try await Stage.with { stage in
      try stage.file("config.yaml", "metrics: {listen: \"127.0.0.1:0\"}\n")
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("song.wav", seconds: Stage.outlasting)
      try await stage.castq("enqueue", "song.wav")
      let daemon = try stage.start(["daemon", "--config", "config.yaml"])
      #expect(await daemon.stderr.line(containing: "ready") != nil, "\(daemon.stderr.text)")
      #expect(await receiver.playing() != nil)
      let ofDaemon = try listening(daemon.process)
      #expect(ofDaemon.count == 2, "\(ofDaemon)")
      #expect(ofDaemon.count { !$0.isLoopback } == 1, "local files alone are for others: \(ofDaemon)")
      #expect(table.contains { $0.programs.contains("daemon") && $0.place.hasPrefix("every address") })
      #expect(table.contains { $0.programs.contains("daemon") && $0.place == "off" })
      for (program, arguments) in [
        ("web", ["web", "serve", "--listen", "127.0.0.1:0"]), ("mpd", ["mpd", "--listen", "127.0.0.1:0"]),
      ] {
        let face = try stage.start(arguments)
        #expect(await face.stderr.line(containing: "127.0.0.1:") != nil, "\(face.stderr.text)")
        let ports = try listening(face.process)
        #expect(ports.count == 1 && ports.allSatisfy(\.isLoopback), "\(program): \(ports)")
        let door = try #require(table.first { $0.programs == [program] })
        let usual = door.place.trimmingCharacters(in: ["`"])
        let help = try await stage.castq(
          arguments.filter { $0 != "--listen" && $0 != "127.0.0.1:0" } + ["--help"]
        )
        .stdout
        #expect(help.contains(usual), "\(program) is not at \(usual) by itself: \(help)")
        face.signal(SIGTERM)
        _ = await face.ended()
      }
      daemon.signal(SIGTERM)
      _ = await daemon.ended()
    }
  }
}
