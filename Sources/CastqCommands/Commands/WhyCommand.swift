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
    let look = try ScheduleLook(global)
    let zone = try tz ?? NamedZone(look.site)
    switch question {
    case .moment(let time): try await explain(time.last(in: zone.zone), look, zone)
    case nil: try await explain(.now, look, zone)
    case .play(let number): try WhyPlay(look, zone).explain(number, isJSON: global.isMachineReadable)
    case .entry(let entry): try WhyEntry(look, zone).explain(entry, isJSON: global.isMachineReadable)
    }
    try look.workspace.reportDamage()
  }

  private func explain(_ moment: WallTime, _ look: ScheduleLook, _ zone: NamedZone) async throws {
    let device = try await look.device(try global.meantDevice())
    let store = ScheduleStore(look.workspace.database)
    let answer = try look.workspace.ask { (_) throws(StoreError) in
      try WhyAnswer(moment, on: device, in: look.schedule.book, store, now: .now)
    }
    let words = PlanWording(look.schedule.book, zone: zone.rules)
    if global.isMachineReadable { return Console.print(answer.json(words)) }
    if Console.isTerminal { Console.print(answer.heading(words)) }
    answer.lines.forEach { Console.print(TerminalText.sanitized($0)) }
  }
}
