import ArgumentParser
import CastqOperations

extension ScheduleCommand {
  /// `castq schedule skip NAME@DATE[THH:MM]`
  struct Skip: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Leave out one time of a rule.",
      discussion: "'castq schedule move' to the time itself puts it back.")

    @OptionGroup var given: GivenOptions
    @OptionGroup var rule: RuleTime

    func run() async throws {
      try await ScheduleCall(global).except(.skip, at: rule.occurrence).print(global)
    }
  }

  /// `castq schedule move NAME@DATE[THH:MM] TIME`
  struct Move: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Begin one time of a rule at another one; its length stays.",
      discussion: "To the time itself: undoes 'skip', 'move' and 'replace'.")

    @OptionGroup var given: GivenOptions
    @OptionGroup var rule: RuleTime
    @Argument(help: "HH:MM on the same day, or 2026-12-24T08:00; in the rule's zone.") var time: String

    func run() async throws {
      try await ScheduleCall(global).except(.move(to: time), at: rule.occurrence).print(global)
    }
  }

  /// `castq schedule replace NAME@DATE[THH:MM] PROGRAMME`
  struct Replace: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Play something else at one time of a rule.")

    @OptionGroup var given: GivenOptions
    @OptionGroup var rule: RuleTime
    @Argument(
      help: ArgumentHelp("A programme, or a source.", valueName: "programme|source"),
      completion: NameCompletion.programmesAndFiles)
    var programme: String

    func run() async throws {
      try await ScheduleCall(global).except(.replace(by: programme), at: rule.occurrence).print(global)
    }
  }
}

/// One time of a rule, as the first argument.
struct RuleTime: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A rule and one of its local times.", valueName: "name@date[thh:mm]"),
    completion: NameCompletion.rules)
  var occurrence: String
}

extension ChangedRule {
  /// Prints the rule for programs.
  func print(_ global: CallOptions) throws {
    if global.isMachineReadable { Console.print(document) }
    if let problem { throw Silent(problem) }
  }
}
