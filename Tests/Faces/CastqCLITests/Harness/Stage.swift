import CastTestKit
import CastqOperations
import Foundation
import Testing

/// One test's world: a folder, an environment in which nothing of the person who runs it is read, programs, receivers.
///
/// Only a few worlds exist at a time: programs that wait for the processor say nothing about castq.
final class Stage: Sendable {
  /// The folder; gone when the test is over.
  let folder: String
  let environment: [String: String]

  /// Runs a test in a world of its own, and ends everything that it started.
  /// - Parameter readsFiles: whether castq may ask `ffprobe` and `ffmpeg`; only tests that are about that need it.
  static func with(readsFiles: Bool = false, _ body: (Stage) async throws -> Void) async throws {
    await Turnstile.shared.enter()
    do {
      let stage = try Stage(readsFiles: readsFiles)
      do {
        try await body(stage)
        stage.close()
      } catch {
        stage.close()
        throw error
      }
    } catch {
      await Turnstile.shared.leave()
      throw error
    }
    await Turnstile.shared.leave()
  }

  private init(readsFiles: Bool) throws {
    var template = Array("\(NSTemporaryDirectory())/castq-cli.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
    folder = String(cString: made)
    // Files are probed by the tests that are about it, and by no other.
    let programs = readsFiles ? [:] : ["CASTQ_FFPROBE": "off", "CASTQ_FFMPEG": "off"]
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder, "CASTQ_DB": "\(folder)/castq.db", "LANG": "C.UTF-8",
      "XDG_STATE_HOME": "\(folder)/state", "XDG_CONFIG_HOME": "\(folder)/config",
      "XDG_RUNTIME_DIR": folder, "SWIFT_BACKTRACE": "enable=no",
      // The devices of the house that this runs in are none of a test's business.
      "CASTQ_INTERFACES": "none",
    ].merging(programs) { $1 }
  }

  var database: String { "\(folder)/castq.db" }

  // MARK: - Programs

  /// Starts castq in this world; `variables` are added to its environment.
  func start(
    _ arguments: [String], variables: [String: String] = [:], input: String = "",
    hasClosedStdout: Bool = false, patience: Double = RunningProgram.patience
  ) throws -> RunningProgram {
    try RunningProgram(
      Programs.path("castq"), arguments, environment: environment.merging(variables) { $1 }, folder: folder,
      input: input, hasClosedStdout: hasClosedStdout, patience: patience)
  }

  /// Starts a script of bash, in which `castq` is the program.
  func shell(_ script: String) throws -> RunningProgram {
    let path = "PATH='\(URL(filePath: try Programs.path("castq")).deletingLastPathComponent().path)':$PATH; "
    return try RunningProgram(
      "/bin/bash", ["-c", path + script], environment: environment, folder: folder)
  }

  /// Runs castq to its end.
  @discardableResult
  func castq(
    _ arguments: String..., variables: [String: String] = [:], input: String = "",
    hasClosedStdout: Bool = false
  ) async throws -> Ending {
    try await castq(arguments, variables: variables, input: input, hasClosedStdout: hasClosedStdout)
  }

  @discardableResult
  func castq(
    _ arguments: [String], variables: [String: String] = [:], input: String = "",
    hasClosedStdout: Bool = false
  ) async throws -> Ending {
    try await start(arguments, variables: variables, input: input, hasClosedStdout: hasClosedStdout).ended()
  }

  /// What a command prints with `--json`.
  func json(_ arguments: String...) async throws -> Document {
    try Document(try await castq(arguments + ["--json"]).stdout)
  }

  /// Waits until the status of the only device is one for which this is true.
  func awaitStatus(
    sourceLocation: SourceLocation = #_sourceLocation, _ accepts: @escaping @Sendable (Document) -> Bool
  ) async throws {
    let follower = try start(["status", "--follow", "--jsonl"])
    let line = await follower.stdout.index { line in (try? Document(line)).map(accepts) == true }
    follower.signal(SIGTERM)
    let ending = await follower.ended()
    #expect(line != nil, "\(ending)", sourceLocation: sourceLocation)
  }

  // MARK: - Devices

  /// Makes a device known, as `castq device add` does. Most worlds have one, and a program for it is work for nothing.
  func add(device name: String, at address: String) throws {
    var call = CallOptions()
    call.db = database
    _ = try Workspace(call).addDevice(named: name, at: address)
  }

  // MARK: - Files

  /// Seconds of a tone that no test sees the end of, at twenty times the speed, on the busiest computer.
  static let outlasting = 6000.0

  /// Writes a file and returns its path.
  @discardableResult
  func file(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// A WAV file of silence that lasts so long; its path.
  @discardableResult
  func tone(_ name: String, seconds: Double) throws -> String {
    let path = "\(folder)/\(name)"
    try SilentWave.write(to: path, seconds: seconds)
    return path
  }

  /// A playlist of so many tones of the same length, titled "Tone 1" and so on.
  @discardableResult
  func playlist(_ name: String = "list.m3u", tones count: Int, seconds: Double) throws -> String {
    var text = "#EXTM3U\n"
    for number in 1...count {
      try tone("\(name)-\(number).wav", seconds: seconds)
      text += "#EXTINF:-1,Tone \(number)\n\(name)-\(number).wav\n"
    }
    return try file(name, text)
  }

  // MARK: - The end

  /// A feeder that lives on in the background would go on calling a receiver that is gone.
  private func close() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasSuffix(".lock") {
      let descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { Glibc.close(descriptor) }
      // Who takes or gives back a lock empties the file first, and is done with it in a moment.
      for _ in 0..<100_000 {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { break }
        if let holder = process(in: name) {
          kill(holder, SIGKILL)
          break
        }
        sched_yield()
      }
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The process that wrote its number into a lock file.
  func holder(of lock: String) throws -> pid_t { try #require(process(in: lock)) }

  private func process(in lock: String) -> pid_t? {
    let text = try? String(contentsOfFile: "\(folder)/\(lock)", encoding: .utf8)
    return text?.split(separator: "\n").first.flatMap { pid_t($0) }
  }
}

/// Lets a few in at a time.
private actor Turnstile {
  static let shared = Turnstile()

  private var free = 4
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    if free > 0 {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
