import ArgumentParser
import CastqOperations
import CastqOutput
import CastqSchedule
import CastqStore
import CastqText

/// `castq calendar …`
struct CalendarCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calendar", abstract: "Keep days with a name, such as public holidays.",
    subcommands: [
      Add.self, Import.self,
      List.self,
      Remove.self,
    ])

  /// `castq calendar add NAME DATE LABEL`
  struct Add: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a day to a calendar, which is made if it is missing.")

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the calendar.", completion: NameCompletion.calendars) var name: String
    @Argument(help: ArgumentHelp("The day, such as 2026-12-24.", valueName: "date")) var day: String
    @Argument(help: "What the day is called.") var label: String
    @Flag(help: "Change what the day is called if the calendar has it.") var replace = false

    func run() async throws {
      let day = try OptionText.parse("the day", day, LocalDate.init)
      try await ScheduleCall(global).addDay(day, label: label, to: name, replaces: replace)
    }
  }

  /// `castq calendar ls [NAME]`
  struct List: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the calendars, or the days of one.", aliases: ["list"])

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of a calendar.", completion: NameCompletion.calendars) var name: String?

    func run() async throws {
      let call = try ScheduleCall(global, isReader: true)
      let calendars = try call.ask { (store) throws(StoreError) in
        guard let name else { return try store.calendars() }
        return [try store.calendar(ScheduleName.calendar(name))]
      }
      var table: Table
      if name != nil {
        table = Table([("DAY", .left), ("LABEL", .flexible)])
        for calendar in calendars {
          for day in calendar.days { table.add([day.text, calendar.label(of: day) ?? ""]) }
        }
      } else {
        table = Table([("NAME", .flexible), ("DAYS", .right), ("FIRST", .left), ("LAST", .left)])
        for calendar in calendars {
          table.add([
            calendar.name, "\(calendar.days.count)", calendar.days.first?.text ?? "-",
            calendar.days.last?.text ?? "-",
          ])
        }
      }
      try call.print(
        calendars.map(ScheduleOutput.calendar), as: "calendars", table,
        none: "there is no calendar; 'castq calendar add NAME DATE LABEL' makes one")
    }
  }

  /// `castq calendar rm NAME [DATE]`
  struct Remove: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a calendar that nothing uses, or one of its days.",
      aliases: ["remove"])

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the calendar.", completion: NameCompletion.calendars) var name: String
    @Argument(help: ArgumentHelp("Only this day.", valueName: "date")) var day: String?

    func run() async throws {
      let day = try day.map { try OptionText.parse("the day", $0, LocalDate.init) }
      try await ScheduleCall(global).removeDay(day, from: name)
    }
  }
}
