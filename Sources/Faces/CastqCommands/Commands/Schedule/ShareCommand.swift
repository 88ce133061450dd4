import ArgumentParser
import CastProtocol
import CastqOperations
import CastqSchedule
import CastqStore

/// `castq share …`
struct ShareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share", abstract: "Give programmes a part of each hour, between the items of others.",
    subcommands: [Add.self, List.self, Remove.self])

  /// `castq share add NAME SOURCE`
  struct Add: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give a programme a part of each hour.",
      usage: "castq share add <name> <source> -d <sel> --per-hour <120s|5%> [<options>]",
      discussion: "Always, unless an option says when. Time in which the screen is dark does not count.")

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the share.") var name: String
    @Argument(
      help: ArgumentHelp("A programme, or a list, a folder or an address.", valueName: "source"),
      completion: NameCompletion.programmesAndFiles)
    var source: String
    @Option(
      help: ArgumentHelp("Its part of each hour.", valueName: "120s|5%"), transform: RuleTermText.perHour)
    var perHour: Int
    @Option(help: ArgumentHelp("The most plays in an hour of the clock.", valueName: "n"))
    var maxPlays: Int?
    @Option(
      help: ArgumentHelp("The least time between two of its plays.", valueName: "duration"))
    var minGap: DurationArgument?
    @OptionGroup(title: "When") var time: RuleTimeOptions
    @Flag(help: "Change the share of this name.") var replace = false

    func validate() throws {
      if let maxPlays, maxPlays < 1 { throw ValidationError("--max-plays counts from 1") }
    }

    func run() async throws {
      let gap = minGap.map { min(Int(bounded: $0.seconds.rounded()), ScheduleRule.longest) } ?? 0
      let terms = ShareTerms(secondsPerHour: perHour, maxPerHour: maxPlays, minGap: gap)
      let call = try ScheduleCall(global)
      let zone = time.once == nil ? Zone.local : try call.zone()
      var rule = ScheduleRule(
        id: RuleID(0), name: try ScheduleName.checked(name, "share"), programme: "", kind: .share(terms),
        form: try time.form(in: zone) ?? .always)
      try time.apply(to: &rule)
      try time.checkIsToCome(rule, in: zone)
      try await call.add(rule, playing: source, replaces: replace).print(global)
    }
  }

  /// `castq share ls`
  struct List: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the shares.", aliases: ["list"])

    @OptionGroup var given: GivenOptions

    func run() async throws {
      try RuleListing(ScheduleCall(global, isReader: true), shares: true).print(
        "shares", none: "there is no share; 'castq share add NAME SOURCE --per-hour 5%' makes one")
    }
  }

  /// `castq share rm NAME`
  struct Remove: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a share; history stays.", aliases: ["remove"])

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the share.") var name: String

    func run() async throws {
      let call = try ScheduleCall(global)
      try call.ask { (store) throws(StoreError) in try store.removeRule(name, isShare: true, at: .now) }
      await call.poke()
    }
  }
}
