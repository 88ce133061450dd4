import ArgumentParser
import CastProtocol
import CastqOperations
import CastqText

/// `castq why`
struct WhyCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Explain what is on a device, rule by rule.",
    discussion: """
      Without an argument, why the device shows what it shows now. Of a time in the past the first line says what was on the screen, and \
      the rules are explained by the decisions that were made then; any other time is answered from the plan. A number is an entry of a \
      queue; play:17 is a play of the history.
      """)

  @OptionGroup var given: GivenOptions

  @Argument(
    help: ArgumentHelp("A time, the number of an entry, or play: with that of a play.", valueName: "what"),
    transform: PlanArguments.question)
  var question: WhyQuestion?

  @Option(
    help: ArgumentHelp("Time zone for input and output; that of the site by default.", valueName: "zone"),
    transform: NamedZone.init(_:))
  var tz: NamedZone?

  func run() async throws {
    let run = try WhyRun(global, tz: tz)
    let reply = try await run.reply(question)
    if global.isMachineReadable {
      Console.print(reply.json)
    } else {
      if Console.isTerminal, let heading = reply.heading { Console.print(heading) }
      reply.lines.forEach { Console.printWords($0) }
      if let remark = reply.remark, !global.quiet { Console.say("castq: \(remark.typed)") }
    }
    try run.workspace.reportDamage()
  }
}
