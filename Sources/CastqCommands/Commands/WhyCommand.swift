import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq why`
struct WhyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Explain what is on a device, rule by rule.",
    discussion: """
      Without an argument, why the device shows what it shows now. A time in the past is answered from the decisions that were made \
      then, any other one from the plan. A number is an entry of a queue; play:17 is a play of the history.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: ArgumentHelp("A time, the number of an entry, or play: with that of a play.", valueName: "what"),
    transform: WhyQuestion.init)
  var question: WhyQuestion?

  @Option(
    help: ArgumentHelp("Time zone for input and output; that of the site by default.", valueName: "zone"),
    transform: NamedZone.init)
  var tz: NamedZone?

  func run() async throws {
    try global.checkOne()
    switch question {
    case .moment(let time): try await explain(time)
    case nil: try await explain(nil)
    case .play(let number):
      let look = try ScheduleLook(global)
      try WhyPlay(look, tz ?? NamedZone(look.site)).explain(number, isJSON: global.isMachineReadable)
      try look.workspace.reportDamage()
    case .entry(let entry):
      let look = try ScheduleLook(global)
      try WhyEntry(look, tz ?? NamedZone(look.site)).explain(entry, isJSON: global.isMachineReadable)
      try look.workspace.reportDamage()
    }
  }

  /// - Parameter time: nil is now.
  private func explain(_ time: TimeArgument?) async throws {
    let (look, device) = try await ScheduleLook.alone(global.meantDevice(), global)
    let zone = try tz ?? NamedZone(look.site)
    let moment = time?.last(in: zone.zone)
    let screen = moment == nil ? try await ScreenNow(device, look, global) : nil
    let answer = try WhyAnswer(
      moment ?? .now, on: screen?.device ?? device, in: look, now: .now, shown: screen?.shown ?? .due)
    let words = PlanWording(look.schedule.book, zone: zone.rules)
    if global.isMachineReadable {
      Console.print(answer.json(words))
    } else {
      if Console.isTerminal { Console.print(answer.heading(words)) }
      answer.lines(words).forEach { Console.printWords($0) }
      if case .nothing? = screen?.shown, !global.quiet {
        Console.say("castq: no daemon runs, which plays rules and queues; 'castq daemon' starts it")
      }
    }
    try look.workspace.reportDamage()
  }
}
