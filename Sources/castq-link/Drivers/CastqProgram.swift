import CastProtocol
import CastqCore
import CastqLink
import CastqPrograms
import Glibc

/// The `castq` of this installation, which performs commands as it does for a person.
struct CastqProgram: Sendable {
  private let options: [String]
  private let program: ChildProgram?

  /// - Parameter global: names the database and the configuration.
  init(_ global: LinkOptions) {
    var options = ["--db", global.databasePath]
    if let config = global.config { options += ["--config", config] }
    self.options = options
    let folder = Self.ownFolder
    let path = LinkOptions.variable("PATH") ?? ProgramSearch.systemPath
    var environment: [String: String] = [:]
    for name in ["HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "CASTQ_CONFIG", "TZ"] {
      environment[name] = LinkOptions.variable(name)
    }
    program =
      (folder.flatMap { ProgramSearch.find("\($0)/castq", path: path) }
      ?? ProgramSearch.find("castq", path: path))
      .map { ChildProgram(path: $0, environment: environment) }
  }

  /// How a command ended.
  struct Ending: Sendable {
    let exit: Int
    /// What it printed; of a failure its message.
    let output: String
    /// The code of a failure, as documents have it.
    var code = "failed"

    init(exit: Int, output: String) {
      self.exit = exit
      self.output = output
    }

    /// A failure, by its document where the program has printed one.
    fileprivate init(exit: Int, words: String, document: [UInt8]) {
      let error = (try? JSONValue(parsing: document))?["error"]
      self.exit = exit
      output = error?["message"]?.string ?? words
      code = error?["code"]?.string ?? "failed"
    }
  }

  /// Runs a command to its end.
  /// - Parameters:
  ///   - words: its words, passed unchanged.
  ///   - time: how long it may take.
  func run(_ words: [String], time: Duration = .seconds(30)) async -> Ending {
    guard let program else {
      return Ending(
        exit: Int(ExitStatus.unreachable.rawValue), output: "castq is not installed beside castq-link")
    }
    do {
      let output = try await program.run(
        options + words, limits: ProgramLimits(time: time, memoryBytes: nil, fileBytes: nil))
      return Ending(exit: 0, output: String(decoding: output, as: UTF8.self))
    } catch let error as ProgramError {
      switch error {
      case .failed(_, let code, let words, let output):
        return Ending(exit: code, words: words, document: output)
      case .tooSlow: return Ending(exit: Int(ExitStatus.timeout.rawValue), output: "\(error)")
      case .unavailable, .tooMuch, .killed:
        return Ending(exit: Int(ExitStatus.bug.rawValue), output: "\(error)")
      }
    } catch {
      return Ending(exit: Int(ExitStatus.terminated.rawValue), output: "castq-link ends")
    }
  }

  /// The folder of this program; nil when the system does not say.
  private static var ownFolder: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    let text = String(cString: path)
    return text.lastIndex(of: "/").map { String(text[..<$0]) }
  }
}
