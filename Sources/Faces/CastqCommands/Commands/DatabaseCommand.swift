import ArgumentParser
import CastProtocol
import CastqOperations
import CastqStore
import CastqText

/// `castq db check|backup|vacuum`
struct DatabaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "db", abstract: "Check, back up or compact the database file.",
    subcommands: [Check.self, Backup.self, Vacuum.self])

  /// Works with the file as it is, which has to be there: a check or a copy of one that was made for it would
  /// look like that of the one that is meant.
  private static func work<Value>(
    _ global: CallOptions, _ body: (_ path: String) throws(StoreError) -> Value
  ) throws(Failure) -> Value {
    let path = global.databasePath
    guard Database.isThere(path) else {
      throw Failure(
        "input_missing", "there is no database at \(path); name one with --db or CASTQ_DB",
        exit: .inputMissing)
    }
    try global.checkConfiguration()
    do throws(StoreError) { return try body(path) } catch { throw Failure(error, database: path) }
  }

  /// `castq db check`
  struct Check: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Look for damage; print one problem a line.",
      discussion:
        "Prints nothing when the file is intact; otherwise what is damaged, and the command that restores a backup. Changes nothing."
    )

    @OptionGroup var given: GivenOptions

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
      try DatabaseCommand.work(global) { (path) throws(StoreError) in
        let database: Database
        do throws(StoreError) { database = try Database.checking(path: path) } catch {
          guard error.isOfDamage else { throw error }
          return ([TerminalText.sanitized(error.finding)], false)
        }
        let findings = try database.findings()
        var problems = findings.problems
        // The rows of an older schema are read after its upgrade alone.
        if try database.isCurrent() {
          problems += Self.damagedRows(database, isUsable: findings.isUsable)
        }
        return (problems.map(TerminalText.sanitized), findings.isUsable)
      }
    }

    /// Values that fit their columns and are invalid: reading every row finds them.
    private static func damagedRows(_ database: Database, isUsable: Bool) -> [String] {
      let queue = QueueStore(database)
      var problems: [String] = []
      func read(_ body: () throws(StoreError) -> Void) {
        do throws(StoreError) { try body() } catch {
          // What a damaged table stops is named already.
          if isUsable || !error.isOfDamage { problems.append(error.finding) }
        }
      }
      read { () throws(StoreError) in _ = try HistoryStore(database).plays(matching: .init()) }
      var devices: [KnownDevice] = []
      read { () throws(StoreError) in devices = try DeviceStore(database).all() }
      for device in devices {
        read { () throws(StoreError) in
          _ = try queue.settings(for: device.id)
          _ = try queue.entries(for: device.id)
          _ = try queue.fallback(for: device.id)
        }
      }
      return problems + database.takeDamage().map(\.finding)
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
  struct Backup: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "backup", abstract: "Copy the database into a new file, even while it is in use.",
      discussion: "Neither the file nor its copy is upgraded.")

    @OptionGroup var given: GivenOptions

    @Argument(help: "The new file.", completion: .file())
    var file: String

    func run() async throws {
      try DatabaseCommand.work(global) { (path) throws(StoreError) in
        try Database.copying(path: path).backUp(to: file)
      }
    }
  }

  /// `castq db vacuum`
  struct Vacuum: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "vacuum", abstract: "Return the space of removed rows to the disk.")

    @OptionGroup var given: GivenOptions

    func run() async throws {
      try DatabaseCommand.work(global) { (path) throws(StoreError) in try Database(asIs: path).vacuum() }
    }
  }
}
