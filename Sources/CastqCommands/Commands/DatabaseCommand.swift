import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq db check|backup|vacuum`
struct DatabaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "db", abstract: "Check, back up or compact the database file.",
    subcommands: [Check.self, Backup.self, Vacuum.self])

  /// The database, which has to be there: a check or a copy of one that was made for it would look like that of the one that is meant.
  private static func open(_ global: GlobalOptions, isReader: Bool = false) throws(Failure) -> Workspace {
    let path = global.databasePath
    guard Database.isThere(path) else {
      throw Failure(
        "input_missing", "there is no database at \(path); name one with --db or CASTQ_DB",
        exit: .inputMissing)
    }
    return try Workspace(global, isReader: isReader)
  }

  /// `castq db check`
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Look for damage; print one problem a line.",
      discussion:
        "Prints nothing when the file is intact; otherwise what is damaged, and the command that restores a backup."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
      let (problems, isUsable) = try found()
      if global.json {
        let document: JSONValue = ["problems": .array(problems.map(JSONValue.string))]
        Console.print(document)
      } else if global.jsonl {
        for problem in problems { Console.print(["problem": .string(problem)] as JSONValue) }
      } else {
        problems.forEach(Console.print)
      }
      guard !problems.isEmpty else { return }
      if !global.quiet { Console.say("castq: \(TerminalText.sanitized(advice(isUsable: isUsable)))") }
      throw Silent(exit: .inputOutput)
    }

    /// The problems, and whether castq works with the file nevertheless.
    private func found() throws(Failure) -> (problems: [String], isUsable: Bool) {
      let workspace: Workspace
      do throws(Failure) { workspace = try DatabaseCommand.open(global, isReader: true) } catch {
        guard let finding = damage() else { throw error }
        return ([TerminalText.sanitized(finding)], false)
      }
      return try workspace.ask { (here) throws(StoreError) in
        let findings = try here.database.findings()
        let isUsable = findings.isUsable
        var problems = findings.problems
        // Reading every row finds values that fit their column but are invalid.
        func read(_ body: () throws(StoreError) -> Void) {
          do throws(StoreError) { try body() } catch {
            // What a damaged table stops is named already.
            if isUsable || !error.isOfDamage { problems.append(error.finding) }
          }
        }
        read { () throws(StoreError) in _ = try here.history.plays(matching: .init()) }
        var devices: [KnownDevice] = []
        read { () throws(StoreError) in devices = try here.devices.all() }
        for device in devices {
          read { () throws(StoreError) in
            _ = try here.queue.settings(for: device.id)
            _ = try here.queue.entries(for: device.id)
            _ = try here.queue.fallback(for: device.id)
          }
        }
        problems += here.database.takeDamage().map(\.finding)
        return (problems.map(TerminalText.sanitized), isUsable)
      }
    }

    /// Why the file is so damaged that it cannot be opened; nil if it is not damage that is in the way.
    private func damage() -> String? {
      // A database that is opened is made where there is none.
      guard Database.isThere(global.databasePath) else { return nil }
      do throws(StoreError) {
        _ = try Database.reading(path: global.databasePath)
        return nil
      } catch {
        return error.isOfDamage ? error.finding : nil
      }
    }

    /// What to do next.
    private func advice(isUsable: Bool) -> String {
      let command = Database.restoring(global.databasePath)
      let restoring = "end all of castq and put a file of 'castq db backup' in its place: \(command)"
      return isUsable
        ? "castq leaves these rows out and works with all others; to have them back, \(restoring)"
        : "nothing more should be written to this file; \(restoring)"
    }
  }

  /// `castq db backup FILE`
  struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "backup", abstract: "Copy the database into a new file, even while it is in use.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The new file.")
    var file: String

    func run() async throws {
      let workspace = try DatabaseCommand.open(global, isReader: true)
      try workspace.ask { (here) throws(StoreError) in try here.database.backUp(to: file) }
    }
  }

  /// `castq db vacuum`
  struct Vacuum: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "vacuum", abstract: "Return the space of removed rows to the disk.")

    @OptionGroup var global: GlobalOptions

    func run() async throws {
      let workspace = try DatabaseCommand.open(global)
      try workspace.ask { (here) throws(StoreError) in try here.database.vacuum() }
    }
  }
}
