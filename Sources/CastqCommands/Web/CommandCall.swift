import ArgumentParser
import CastProtocol
import CastqCore
import CastqDocuments

/// Runs commands of the command line within this program: what the page shows is what `--json` prints.
struct CommandCall: Sendable {
  /// The options of `castq web` that every command gets: the database, the configuration.
  private let shared: [String]

  init(_ global: GlobalOptions) {
    var shared = ["--db=\(global.databasePath)"]
    if let config = global.config { shared.append("--config=\(config)") }
    if global.noDaemon { shared.append("--no-daemon") }
    self.shared = shared
  }

  /// Runs a command.
  /// - Parameters:
  ///   - name: its words, such as `schedule` and `ls`.
  ///   - options: each as one argument, such as `--since=-24h`.
  ///   - arguments: what is no option, whatever it begins with.
  ///   - format: the option that says how it prints.
  /// - Returns: what it prints; empty for a command that prints nothing.
  /// - Throws: the failure that it reports. An answer of "no" with a document is none.
  func document(
    _ name: [String], options: [String] = [], _ arguments: [String] = [], format: String = "--json"
  ) async throws(ControlFailure) -> String {
    let output = CapturedOutput()
    let result = await Console.$captured.withValue(output) {
      await Result.catching { () async throws(ControlFailure) in
        try await run(name, Self.words(format, options, arguments))
      }
    }
    switch result {
    case .success: return output.data
    case .failure(let failure):
      guard failure.code == Self.silent else { throw failure }
      if !output.data.isEmpty { return output.data }
      let words = output.messages.last.map { $0.hasPrefix("castq: ") ? String($0.dropFirst(7)) : $0 }
      throw ControlFailure("failed", words ?? "the command failed without a word", exit: failure.exit)
    }
  }

  /// Parses a command as `document` does, and does not run it.
  /// - Throws: `usage` when the command does not take these words.
  func check(_ name: [String], options: [String], _ arguments: [String]) throws(ControlFailure) {
    _ = try parsed(name, Self.words("--json", options, arguments))
  }

  private static func words(_ format: String, _ options: [String], _ arguments: [String]) -> [String] {
    [format] + options + (arguments.isEmpty ? [] : ["--"] + arguments)
  }

  /// The code of a command that has said all itself.
  private static let silent = "silent"

  /// A command that is ready to run, with its type, which has the words for its errors.
  private func parsed(
    _ name: [String], _ arguments: [String]
  ) throws(ControlFailure) -> (type: any ParsableCommand.Type, command: any AsyncParsableCommand) {
    var type: any ParsableCommand.Type = Castq.self
    for word in name {
      let next = type.configuration.subcommands.first { CommandWords.names(of: $0).contains(word) }
      guard let next else { throw ControlFailure("bug", "there is no command \(name)", exit: .bug) }
      type = next
    }
    let given: any ParsableCommand
    do { given = try type.parseAsRoot(shared + arguments) } catch {
      throw ControlFailure("usage", Castq.oneLine(type.message(for: error)), exit: .usage)
    }
    guard let command = given as? any AsyncParsableCommand else {
      throw ControlFailure("bug", "\(name) is no command for a page", exit: .bug)
    }
    return (type, command)
  }

  private func run(_ name: [String], _ arguments: [String]) async throws(ControlFailure) {
    let (type, ready) = try parsed(name, arguments)
    var command = ready
    do {
      try await command.run()
    } catch let failure as Failure {
      throw failure.shown
    } catch let silent as Silent {
      if silent.exit != .done { throw ControlFailure(Self.silent, "", exit: silent.exit) }
    } catch let failure as ControlFailure {
      throw failure
    } catch {
      throw ControlFailure("usage", Castq.oneLine(type.message(for: error)), exit: .usage)
    }
  }
}
