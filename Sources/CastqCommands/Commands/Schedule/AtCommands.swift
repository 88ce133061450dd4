import ArgumentParser
import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore

/// `castq at`
struct AtCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at", abstract: "Run one command of castq at a time.",
    discussion: """
      castq at 18:00 -- enqueue film.mp4 -d lobby. The daemon runs it once, in the folder in which it was given; a time that passes \
      while no daemon runs is made up for when one does. 'castq atq' lists what waits, 'castq atrm' removes it.
      """)

  @OptionGroup var global: GlobalOptions
  @Argument(help: "When: 18:00, 2026-12-24T18:00, +2h.") var time: String
  @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, behind --.", valueName: "command"))
  var words: [String] = []

  /// These wait for a terminal or for ever.
  private static let endless: Set<String> = [
    "daemon", "web", "mpd", "remote", "run", "at", "atq", "atrm", "completion", "help",
  ]

  func validate() throws {
    // Options may stand before the name.
    guard let first = ArgumentOrder.normalized(words).first else {
      throw ValidationError("write the command behind --, as in: castq at 18:00 -- enqueue film.mp4")
    }
    guard !Self.endless.contains(first), CommandWords.read(words).isCommand else {
      throw ValidationError("'\(TerminalText.excerpt(first))' is not a command that can run at a time")
    }
    if let mistake = CommandWords.mistake(in: words) {
      throw ValidationError("\(TerminalText.excerpt(first)): \(mistake)")
    }
  }

  func run() async throws {
    let zone = try SiteZone(global).zone
    // What +0s means is past before it is compared.
    let moment = try TimeArgument(String(time.drop { $0 == " " })).toCome(in: zone, late: 1)
    let workspace = try Workspace(global)
    let number = try workspace.ask { (here) throws(StoreError) in
      try JobStore(here.database).add(words, in: FileLoader().workingDirectory, at: moment, now: .now)
    }
    await ScheduleCall(global, workspace).poke()
    if global.isMachineReadable {
      Console.print(["job": .integer(number), "at": .string(RFC3339.text(moment))] as JSONValue)
    } else if !global.quiet {
      Console.say("castq: job \(number) at \(zone.text(moment))")
    }
  }
}

/// `castq atq`
struct AtQueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atq", abstract: "List the commands that wait for their time.")

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global, isReader: true)
    let jobs = try workspace.ask { (here) throws(StoreError) in try JobStore(here.database).waiting() }
    if global.isMachineReadable {
      let documents = jobs.map { job -> JSONValue in
        [
          "job": .integer(job.id), "at": .string(RFC3339.text(job.at)), "directory": .string(job.directory),
          "command": .array(job.arguments.map(JSONValue.string)),
        ]
      }
      if global.jsonl {
        for document in documents { Console.print(document) }
      } else {
        Console.print(["jobs": .array(documents)] as JSONValue)
      }
      return
    }
    let zone = try SiteZone(global).zone
    for job in jobs { Console.print("\(job.id)\t\(zone.text(job.at))\t\(job.words)") }
  }
}

/// `castq atrm`
struct AtRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atrm", abstract: "Remove commands that wait for their time.")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "Numbers, as 'castq atq' lists them.") var jobs: [Int64]

  func run() async throws {
    let workspace = try Workspace(global)
    for job in jobs {
      let isThere = try workspace.ask { (here) throws(StoreError) in try JobStore(here.database).remove(job) }
      guard isThere else {
        throw Failure("job_unknown", "no job \(job) waits: 'castq atq' lists those that do", exit: .badData)
      }
    }
  }
}
