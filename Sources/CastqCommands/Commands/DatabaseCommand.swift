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
        "Prints nothing when the file is intact. Otherwise restore a backup, or remove the rows it names."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
      let workspace = try DatabaseCommand.open(global, isReader: true)
      let problems = try workspace.ask { (here) throws(StoreError) in
        var problems = try here.database.check()
        // Reading every row finds values that fit their column but are invalid.
        func read(_ body: () throws(StoreError) -> Void) {
          do throws(StoreError) { try body() } catch { problems.append("\(error)") }
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
        return problems + here.database.takeDamage().map { "\($0)" }
      }.map(TerminalText.sanitized)
      if global.json {
        let document: JSONValue = ["problems": .array(problems.map(JSONValue.string))]
        Console.print(document)
      } else if global.jsonl {
        for problem in problems { Console.print(["problem": .string(problem)] as JSONValue) }
      } else {
        problems.forEach(Console.print)
      }
      if !problems.isEmpty { throw Silent(exit: .inputOutput) }
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
