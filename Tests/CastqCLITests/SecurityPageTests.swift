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
      try await stage.castq("device", "add", "lobby", receiver.address)
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
}
