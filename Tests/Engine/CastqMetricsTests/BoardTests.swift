import CastqMetrics
import Foundation
import Testing

@Suite("The board for Grafana, the alerts and the page about metrics")
struct BoardTests {
  private static func file(_ path: String) throws -> String {
    try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: path), encoding: .utf8)
  }

  /// The names in a text, without what a histogram adds to its own.
  private static func names(in text: String) -> Set<String> {
    let histograms = MetricCatalogue.all.filter { $0.kind == .histogram }.map(\.name)
    return Set(
      text.matches(of: /\b(?:castq|process)_[a-z_]+[a-z]\b/).map { match in
        let name = String(match.output)
        return histograms.first { [$0 + "_bucket", $0 + "_sum", $0 + "_count"].contains(name) } ?? name
      })
  }

  private static let known = Set(MetricCatalogue.all.map(\.name))

  @Test("every family is on the board, and the board asks for no other")
  func board() throws {
    let text = try Self.file("packaging/grafana/castq.json")
    let board = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let panels = try #require(board["panels"] as? [[String: Any]])
    let asked = panels.flatMap {
      ($0["targets"] as? [[String: Any]] ?? []).compactMap { $0["expr"] as? String }
    }
    #expect(Self.names(in: asked.joined(separator: "\n")) == Self.known)
    #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
  }

  @Test("an alert asks for what there is")
  func alerts() throws {
    let names = Self.names(in: try Self.file("packaging/prometheus/castq.rules.yml"))
    #expect(names.count >= 6 && names.isSubset(of: Self.known), "\(names.subtracting(Self.known))")
  }

  @Test("the page describes every family")
  func page() throws {
    let text = try Self.file("docs/metrics.md")
    for name in Self.known where !name.hasPrefix("process_") {
      #expect(text.contains("| `\(name)` |"), "\(name)")
    }
  }

  @Test("promtool accepts the alerts")
  func promtool() throws {
    let path = "/usr/bin/promtool"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      print("promtool is not installed: the alerts were not checked by it")
      return
    }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = [
      "check", "rules",
      URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../packaging/prometheus/castq.rules.yml").standardizedFileURL.path,
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
