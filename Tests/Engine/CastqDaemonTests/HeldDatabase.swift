import Foundation

/// Another program, which keeps a database for itself until it is ended, for a minute at most.
final class HeldDatabase {
  private let process = Process()

  /// Returns when it has the database.
  init(_ path: String) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import signal, sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
      c.execute("BEGIN EXCLUSIVE")
      print("held", flush=True)
      signal.alarm(60)
      signal.pause()
      """, path,
    ]
    process.standardOutput = output
    try process.run()
    _ = output.fileHandleForReading.readData(ofLength: 5)
  }

  /// Ends the program without a chance to clean up.
  /// - Returns: whether it was still there.
  func release() -> Bool {
    defer { process.waitUntilExit() }
    return kill(process.processIdentifier, SIGKILL) == 0
  }
}
