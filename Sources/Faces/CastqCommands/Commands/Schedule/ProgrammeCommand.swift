import ArgumentParser
import CastqOperations
import CastqOutput
import CastqStore

/// `castq programme …`
struct ProgrammeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "programme", abstract: "Name what can be played by rules.",
    subcommands: [Add.self, List.self, Show.self, Remove.self], aliases: ["program"])

  /// `castq programme add NAME SOURCE`
  struct Add: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Name a list, a folder or an address.",
      discussion: "The source is read again whenever the programme is shown; it is checked now.")

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the programme.", completion: NameCompletion.programmes) var name: String
    @Argument(help: "Playlist, media file, folder or URL.", completion: .file()) var source: String
    @Flag(help: "Play it in a shuffled order.") var shuffle = false
    @Option(
      help: ArgumentHelp("The programme to show while nothing of this one can be.", valueName: "name"),
      completion: NameCompletion.programmes)
    var filler: String?
    @Flag(help: "Change the programme of this name.") var replace = false

    func run() async throws {
      let call = try ScheduleCall(global)
      let problem = try await call.addProgramme(
        name, source, shuffles: shuffle, filler: filler, replaces: replace)
      if global.isMachineReadable { try Show.printDocument(name, call) }
      if let problem { throw Silent(problem) }
    }
  }

  /// `castq programme ls`
  struct List: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the programmes.", aliases: ["list"])

    @OptionGroup var given: GivenOptions

    func run() async throws {
      let call = try ScheduleCall(global, isReader: true)
      let programmes = try call.ask { (store) throws(StoreError) in try store.programmes() }
      var table = Table([("NAME", .flexible), ("SOURCE", .address), ("FILLER", .address), ("", .flexible)])
      for programme in programmes {
        let notes = [programme.isShuffled ? "shuffled" : nil, programme.problem].compactMap { $0 }
        table.add([
          programme.name, programme.source, programme.filler ?? "-", notes.joined(separator: "; "),
        ])
      }
      try call.print(
        programmes.map { ScheduleOutput.programme($0) }, as: "programmes", table,
        none: "no programme has a name; 'castq programme add NAME SOURCE' gives one")
    }
  }

  /// `castq programme show NAME`
  struct Show: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a programme, and what uses it.")

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the programme.", completion: NameCompletion.programmes) var name: String

    func run() async throws {
      let call = try ScheduleCall(global, isReader: true)
      guard !global.isMachineReadable else { return try Self.printDocument(name, call) }
      let (programme, users) = try call.ask { (store) throws(StoreError) in try store.programme(name) }
      ScheduleOutput.details([
        ("name", programme.name), ("source", programme.source),
        ("order", programme.isShuffled ? "shuffled" : nil), ("filler", programme.filler),
        ("problem", programme.problem),
        ("used by", users.isEmpty ? "nothing" : users.joined(separator: ", ")),
      ]).forEach(Console.print)
    }

    static func printDocument(_ name: String, _ call: ScheduleCall) throws {
      Console.print(try call.programmeDocument(name))
    }
  }

  /// `castq programme rm NAME`
  struct Remove: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a programme that no rule uses.", aliases: ["remove"])

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the programme.", completion: NameCompletion.programmes) var name: String

    func run() async throws {
      try await ScheduleCall(global).removeProgramme(name)
    }
  }
}
