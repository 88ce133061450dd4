import Foundation
import Testing

/// A daemon whose metrics are served, as those who watch it see it.
struct WatchedDaemon {
  let program: RunningProgram
  let address: String
  let stage: Stage

  /// Writes the configuration, starts the daemon and waits until it is ready.
  /// - Parameter hooks: lines of the configuration behind `metrics`.
  init(_ stage: Stage, _ more: String = "") async throws {
    let folder = "\(stage.folder)/config/castq"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("metrics: {listen: \"127.0.0.1:0\"}\n\(more)".utf8)
      .write(to: URL(fileURLWithPath: "\(folder)/config.yaml"))
    try await self.init(stage, stage.start(["daemon"]))
  }

  /// A daemon that was started elsewhere.
  init(_ stage: Stage, _ program: RunningProgram) async throws {
    let line = try #require(
      await program.stderr.line(containing: "metrics are served"), "\(program.stderr.text)")
    #expect(await program.stderr.line(containing: "ready") != nil, "\(program.stderr.text)")
    let address = try #require(
      line.firstMatch(of: /castq\.address=(\S+)/).map { String($0.output.1) }, "\(line)")
    (self.stage, self.program, self.address) = (stage, program, address)
  }

  /// The status and the body of a path.
  func ask(_ path: String, at place: String? = nil) async throws -> (status: Int, text: String) {
    let script = """
      import sys, urllib.request, urllib.error
      try: answer = urllib.request.urlopen(sys.argv[1], timeout=240)
      except urllib.error.HTTPError as error: answer = error
      print(answer.status); sys.stdout.flush(); sys.stdout.buffer.write(answer.read())
      """
    let ending = try await RunningProgram(
      "python3", ["-c", script, "http://\(place ?? address)\(path)"],
      environment: ProcessInfo.processInfo.environment, folder: stage.folder
    ).ended()
    let lines = ending.stdout.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let status = try #require(lines.first.flatMap { Int($0) }, "\(ending.stderr)")
    return (status, String(lines.last ?? ""))
  }

  /// Everything that was counted. What the daemon had heard before is in it.
  func samples(at place: String? = nil) async throws -> Samples {
    // A command is handled behind all that was heard before it.
    _ = try await stage.castq("status", "--all", "--json")
    let answer = try await ask("/metrics", at: place)
    #expect(answer.status == 200)
    return Samples(text: answer.text)
  }

  struct Samples {
    let text: String

    /// The sum of all samples whose lines begin with one of the words and contain the others; nil without one.
    func sum(_ name: String, _ labels: String...) -> Double? {
      let lines = text.split(separator: "\n").filter { line in
        (line.hasPrefix("\(name){") || line.hasPrefix("\(name) ")) && labels.allSatisfy { line.contains($0) }
      }
      let numbers = lines.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
      return numbers.isEmpty ? nil : numbers.reduce(0, +)
    }
  }
}
