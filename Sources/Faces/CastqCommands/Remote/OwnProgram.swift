import CastqOperations
import CastqPlaylists
import CastqPrograms
import CastqStore
import CastqText
import Glibc

/// Runs this program again, for commands that may leave a feeder behind: the feeder goes on when the remote has ended.
struct OwnProgram: Sendable {
  let global: CallOptions
  let workspace: Workspace
  let device: KnownDevice

  struct Ending: Sendable {
    var exit: Int32
    /// What it said, at most `Self.limit` bytes.
    var errors: String
  }

  /// Bytes that are read of what it says.
  private static let limit = 1 << 20

  /// Runs a command for the device to its end. It has the same database and configuration, and no terminal.
  func run(_ command: String, _ arguments: [String] = []) async -> Ending {
    // A file and no pipe: a feeder that is left behind may outlive the command.
    guard let errors = tmpfile() else { return Self.failed(String(cString: strerror(errno))) }
    defer { fclose(errors) }
    do throws(ProgramError) {
      let program = try ProgramLaunch(
        Self.path, [command] + options + arguments, name: "castq",
        descriptors: [
          STDIN_FILENO: .nothing, STDOUT_FILENO: .nothing, STDERR_FILENO: .own(fileno(errors)),
        ], hasOwnGroup: true
      ).start()
      return Ending(exit: await program.ending(), errors: Self.text(of: errors))
    } catch { return Self.failed("\(error)") }
  }

  /// Runs a command for the device in place of this one: the same process, with nothing left of it that reads the terminal.
  /// - Returns: why that was impossible.
  func become(_ command: String) -> Failure {
    let error = ProgramLaunch(Self.path, [command] + options, name: "castq").become()
    return Failure(
      "exec", "'castq \(command)' cannot be started: \(String(cString: strerror(error)))", exit: .inputOutput)
  }

  private static let path = "/proc/self/exe"

  private var options: [String] {
    var words = ["--db", workspace.database.path]
    if device.id != DeviceID(0) { words += ["-d", device.handle] }
    if let config = global.config { words += ["--config", config] }
    if global.noDaemon { words.append("--no-daemon") }
    return words
  }

  private static func failed(_ words: String) -> Ending { Ending(exit: 74, errors: "castq: \(words)") }

  private static func text(of file: UnsafeMutablePointer<FILE>) -> String {
    rewind(file)
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

extension OwnProgram.Ending {
  /// What went wrong, without the program's name; nil when nothing did.
  var failure: String? {
    guard exit != 0 else { return nil }
    let line = errors.split(separator: "\n").last.map(String.init) ?? "it ended with \(exit)"
    return line.hasPrefix("castq: ") ? String(line.dropFirst(7)) : line
  }
}
