import ArgumentParser
import CastqOperations
import CastqSchedule
import CastqStore

extension ScheduleCommand {
  /// `castq schedule export`
  struct Export: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the whole schedule as a file for 'castq schedule apply'.",
      discussion: "Programmes, day parts, calendars, groups, zones of devices, rules and shares, as YAML.")

    @OptionGroup var given: GivenOptions

    func run() async throws {
      let workspace = try Workspace(global, isReader: true)
      let site = try workspace.ask { (here) throws(StoreError) in try ScheduleStore(here.database).site() }
      if global.isMachineReadable {
        Console.print(SiteWriter.json(site))
      } else {
        let text = SiteWriter.text(site)
        if !text.isEmpty { Console.printLines(text) }
      }
      try workspace.reportDamage()
    }
  }
}
