import Foundation
import Testing

/// Another program's word on many cases at once.
enum ForeignJudge {
  static let python = ProcessInfo.processInfo.environment["CASTQ_PYTHON"]

  /// Runs a program over some input and returns what it prints.
  /// - Parameter statuses: the exit statuses that are no failure.
  static func output(
    of program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:],
    statuses: Set<Int32> = [0]
  ) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "castq-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files instead of pipes: no side has to read while the other writes.
    let source = folder.appending(path: "input")
    let result = folder.appending(path: "output")
    try Data(input.utf8).write(to: source)
    try Data().write(to: result)
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: source)
    process.standardOutput = try FileHandle(forWritingTo: result)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(
      statuses.contains(process.terminationStatus), "\(program) ended with \(process.terminationStatus)")
    return try String(contentsOf: result, encoding: .utf8)
  }

  /// A script in the folder of foreign judges.
  static func script(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Foreign/\(name)"
    ).path
  }
}
