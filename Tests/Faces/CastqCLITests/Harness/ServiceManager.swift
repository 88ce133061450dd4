import Foundation
import Testing

/// What a service manager gets to hear of a daemon, line by line.
struct ServiceManager {
  private let program: RunningProgram
  private let socket: String
  private let stage: Stage
  var log: LineFeed { program.stdout }

  private static let script = """
    import socket, sys
    own = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    own.bind(sys.argv[1])
    print("listening", flush=True)
    while True: print(own.recv(4096).decode().split("\\n")[0], flush=True)
    """

  init(_ stage: Stage) async throws {
    self.stage = stage
    socket = "\(stage.folder)/notify"
    program = try RunningProgram(
      "python3", ["-c", Self.script, socket], environment: ProcessInfo.processInfo.environment,
      folder: stage.folder, patience: RunningProgram.lifetime)
    try #require(await program.stdout.line(containing: "listening") != nil, "\(program.stderr.text)")
  }

  /// What a daemon finds in its environment: it resets the watchdog every 0.2 s.
  var variables: [String: String] { ["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "400000"] }

  /// The number of lines that were sent before this moment: a line of its own stands behind them all.
  func moment(_ name: String) async throws -> Int {
    let script =
      "import socket, sys; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(sys.argv[2].encode(), sys.argv[1])"
    _ = try await RunningProgram(
      "python3", ["-c", script, socket, name], environment: ProcessInfo.processInfo.environment,
      folder: stage.folder
    ).ended()
    return try #require(await log.index { $0 == name })
  }

  func end() { program.signal(SIGKILL) }
}
