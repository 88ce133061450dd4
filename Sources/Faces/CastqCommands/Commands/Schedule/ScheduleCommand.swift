import ArgumentParser
import CastqOperations
import CastqSchedule
import CastqStore

/// `castq schedule …`
struct ScheduleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule", abstract: "Say what plays where and when.",
    subcommands: [
      Add.self, List.self, Show.self, Log.self, Remove.self, Enable.self, Disable.self, Skip.self, Move.self,
      Replace.self, Export.self, Apply.self, Import.self,
    ])

  /// `castq schedule add NAME --play PROGRAMME|SOURCE`
  struct Add: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a rule: what plays, where and when.",
      usage: "castq schedule add <name> --play <programme|source> -d <sel> <when> [<how>]",
      discussion: """
        The device is that of -d: one device, @GROUP or @all. The daemon plays it. Of several rules the one with the highest \
        priority wins, then one for a device before one for a group, and that before one for all.
        """)

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the rule.", completion: NameCompletion.rules) var name: String
    @Option(
      help: ArgumentHelp("A programme, or a list, a folder or an address.", valueName: "programme|source"),
      completion: NameCompletion.programmesAndFiles)
    var play: String
    @OptionGroup(title: "When") var time: RuleTimeOptions
    @OptionGroup(title: "How") var screen: RuleScreenOptions
    @Flag(
      help: """
        With --cron, --calendar and --once: an announcement, which interrupts rules of its own priority and below and gives the screen back.
        """)
    var interrupt = false
    @Flag(help: "Change the rule of this name.") var replace = false

    func validate() throws {
      guard let form = try time.form() else {
        throw ValidationError(
          "say when: one of --always, --daily, --daypart, --cron, --calendar and --once")
      }
      if interrupt, !form.hasOnlyStarts {
        throw ValidationError("--interrupt goes with --cron, --calendar or --once")
      }
    }

    func run() async throws {
      let call = try ScheduleCall(global)
      let zone = time.once == nil ? Zone.local : try call.zone()
      var rule = ScheduleRule(
        id: RuleID(0), name: try ScheduleName.checked(name, "rule"), programme: "",
        kind: interrupt ? .trigger : .window, form: try time.form(in: zone) ?? .always)
      try time.apply(to: &rule)
      screen.apply(to: &rule)
      try time.checkIsToCome(rule, in: zone)
      try await call.add(rule, playing: play, replaces: replace).print(global)
    }
  }

  /// `castq schedule ls`
  struct List: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the rules, with their next times.", aliases: ["list"])

    @OptionGroup var given: GivenOptions

    func run() async throws {
      try RuleListing(ScheduleCall(global, isReader: true), shares: false).print(
        "rules", none: "there is no rule; 'castq schedule add' makes one")
    }
  }

  /// `castq schedule show NAME`
  struct Show: CastqCommand {
    static let configuration = CommandConfiguration(abstract: "Show everything about a rule.")

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the rule.", completion: NameCompletion.rules) var name: String

    func run() async throws {
      let call = try ScheduleCall(global, isReader: true)
      if global.isMachineReadable { return Console.print(try call.ruleDocument(name)) }
      let (rule, labels) = try call.ask { (store) throws(StoreError) in
        (try store.rule(name), try store.deviceLabels())
      }
      ScheduleOutput.details(rule.shown.details(devices: labels)).forEach(Console.print)
    }
  }

  /// `castq schedule rm NAME`
  struct Remove: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a rule; history stays.", aliases: ["remove"])

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the rule.", completion: NameCompletion.rules) var name: String

    func run() async throws {
      let call = try ScheduleCall(global)
      try call.ask { (store) throws(StoreError) in try store.removeRule(name, at: .now) }
      await call.poke()
    }
  }

  /// `castq schedule enable NAME`
  struct Enable: CastqCommand {
    static let configuration = CommandConfiguration(abstract: "Switch a rule on again.")

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the rule.", completion: NameCompletion.rules) var name: String

    func run() async throws { try await ScheduleCall(global).setEnabled(true, name) }
  }

  /// `castq schedule disable NAME`
  struct Disable: CastqCommand {
    static let configuration = CommandConfiguration(abstract: "Switch a rule off, and keep it.")

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the rule.", completion: NameCompletion.rules) var name: String

    func run() async throws { try await ScheduleCall(global).setEnabled(false, name) }
  }
}
