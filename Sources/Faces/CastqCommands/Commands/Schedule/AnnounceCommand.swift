import ArgumentParser
import CastProtocol
import CastqOperations
import CastqSchedule
import CastqText

/// `castq announce`
struct AnnounceCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "announce", abstract: "Interrupt what devices show, and give their screens back.",
    usage: "castq announce <source> -d <sel> [<options>]",
    discussion: """
      Returns when it has been shown on every device, and otherwise names the devices on which it was not. A daemon has to run. \
      What was interrupted goes on at the second, unless --resume says otherwise. --timeout limits the wait for its beginning; \
      2m by default.
      """)

  @OptionGroup var given: GivenOptions
  @Argument(
    help: "A programme, or a list, a folder or an address.", completion: NameCompletion.programmesAndFiles)
  var source: String
  @Flag(help: "SOURCE is the name of a programme, and never a file.") var programme = false
  @Flag(help: "Cut what is on the screen; this is the default.") var now = false
  @Flag(help: "Wait until the item on the screen ends.") var next = false
  @Option(
    help: ArgumentHelp(
      "Wait until the item on the screen ends, but so long at the most.", valueName: "duration"))
  var wait: DurationArgument?
  @Option(help: ArgumentHelp("Volume of the announcement, 0 to 100.", valueName: "n"))
  var volume: Int?
  @Option(
    help: ArgumentHelp(
      "Where what it interrupts continues.", valueName: "second|item|restart"),
    transform: RuleTermText.resume)
  var resume = ResumeMode.second

  func validate() throws {
    guard [now, next, wait != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("choose one of --now, --next and --wait")
    }
    if let volume, !(0...100).contains(volume) { throw ValidationError("--volume is 0 to 100") }
  }

  func run() async throws {
    var request = AnnouncementRequest(source)
    request.isProgramme = programme
    request.start = wait.map { .wait(seconds: Int(bounded: $0.seconds.rounded())) } ?? (next ? .next : .hard)
    request.volume = volume.map { Double($0) / 100 }
    request.resume = resume
    let (announcement, problem) = try await request.begin(ScheduleCall(global))
    try await untilInterrupted { [global] in
      let report = try await announcement.untilShown()
      if global.isMachineReadable { Console.print(report.json) }
      if let failure = report.failure {
        if global.isMachineReadable { throw Silent(failure) }
        throw failure
      }
      throw Silent(exit: problem?.exit ?? .done)
    }
  }
}
