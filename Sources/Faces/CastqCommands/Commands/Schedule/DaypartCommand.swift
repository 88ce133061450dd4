import ArgumentParser
import CastqOperations
import CastqOutput
import CastqSchedule
import CastqStore
import CastqText

/// `castq daypart …`
struct DaypartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daypart", abstract: "Name parts of the day, which may differ on some days.",
    subcommands: [Add.self, List.self, Remove.self])

  /// `castq daypart add NAME HH:MM-HH:MM`
  struct Add: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Name a part of the day.",
      discussion: """
        An end that is not after the start is on the next day. On days of several exceptions a calendar beats days of the week, \
        and then the first one counts.
        """)

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the day part, one word.") var name: String
    @Argument(help: ArgumentHelp("Two local times.", valueName: "hh:mm-hh:mm")) var part: String

    @Option(
      help: ArgumentHelp(
        "Other times on some days: two values, as in --on sat,sun 09:00-11:00 or --on @holidays 09:00-11:00; repeatable.",
        valueName: "days|@calendar> <hh:mm-hh:mm"))
    var on: [String] = []

    // `ArgumentOrder` makes it one of the others, so that their order is known.
    @Option(
      help: ArgumentHelp("No such part on some days; repeatable.", valueName: "days|@calendar"))
    var closed: [String] = []

    @Flag(help: "Change the day part of this name.") var replace = false

    func validate() throws {
      _ = try exceptions()
      let halves = part.split(separator: "-")
      if halves.count == 2, halves[0] == halves[1] {
        throw ValidationError(
          "'\(TerminalText.excerpt(part))' begins where it ends; the whole day is 00:00-24:00")
      }
    }

    func run() async throws {
      let daypart = Daypart(
        name: name, part: try OptionText.parse("the times", part, DayPart.init), exceptions: try exceptions())
      try await ScheduleCall(global).addDaypart(daypart, replaces: replace)
      if global.isMachineReadable { Console.print(ScheduleOutput.daypart(daypart)) }
    }

    private func exceptions() throws -> [Daypart.Exception] {
      _ = try OptionText.parse("the times", part, DayPart.init)
      return try (on + closed.map { "\($0) closed" }).map { text in
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2 else {
          throw ValidationError("--on has two values, as in --on sat,sun 09:00-11:00")
        }
        let isClosed = words[1] == "closed"
        let part = isClosed ? nil : try OptionText.parse("--on", words[1], DayPart.init)
        if let calendar = DeviceGroup.name(words[0]) { return .init(.calendar(calendar), part) }
        let option = isClosed ? "--closed" : "--on"
        return .init(.weekdays(try OptionText.parse(option, words[0], Weekdays.init)), part)
      }
    }
  }

  /// `castq daypart ls`
  struct List: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the day parts.", aliases: ["list"])

    @OptionGroup var given: GivenOptions

    func run() async throws {
      let call = try ScheduleCall(global, isReader: true)
      let dayparts = try call.ask { (store) throws(StoreError) in try store.dayparts() }
      var table = Table([("NAME", .flexible), ("PART", .flexible), ("EXCEPTIONS", .flexible)])
      for daypart in dayparts {
        let exceptions = daypart.exceptions.map { "\($0.daysText) \($0.part?.text ?? "closed")" }
        table.add([daypart.name, daypart.part.text, exceptions.joined(separator: "; ")])
      }
      try call.print(
        dayparts.map(ScheduleOutput.daypart), as: "dayparts", table,
        none: "there is no day part; 'castq daypart add NAME HH:MM-HH:MM' makes one")
    }
  }

  /// `castq daypart rm NAME`
  struct Remove: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a day part that no rule uses.", aliases: ["remove"])

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the day part.") var name: String

    func run() async throws {
      try await ScheduleCall(global).removeDaypart(name)
    }
  }
}
