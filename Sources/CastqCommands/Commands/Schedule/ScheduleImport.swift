import ArgumentParser
import CastProtocol
import CastqCore
import CastqDaemon
import CastqOperations
import CastqStore

extension ScheduleCommand {
  /// `castq schedule import FILE.ics|URL`
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make rules of the events of an .ics file or address.",
      discussion: """
        An event's name is that of a programme; its times are those of the rule (RFC 5545), from yesterday to ten years ahead. A \
        later import of the same file or address changes those rules and removes those whose events are gone; rules that \
        others made stay as they are.
        """)

    @OptionGroup var given: GivenOptions
    var global: CallOptions { given.call }
    @Argument(
      help: ArgumentHelp("A file, an address, or - for standard input.", valueName: "file|url"),
      completion: .file())
    var source: String
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The higher one wins; 0 by default, negative ones are allowed.", valueName: "n"),
      transform: RuleTermText.priority)
    var priority = 0
    @Flag(help: "Print what would change, and change nothing.") var dryRun = false

    func run() async throws {
      try SiteFile.refuse(source)
      let call = try ScheduleCall(global, isReader: dryRun)
      let target = try siteTarget(call)
      guard let document = try await CalendarSource(source, timeout: global.deviceTimeout).read(unless: nil)
      else {
        return
      }
      let file = CalendarFile(document.bytes, file: source, conversion: SystemCharacterSets.text)
      let programmes = try call.ask { (store) throws(StoreError) in try store.programmes().map(\.name) }
      var made = try rules(of: file, programmes)
      for index in made.rules.indices {
        (made.rules[index].target, made.rules[index].priority) = (target, priority)
      }
      guard file.isUsable, made.isUsable else {
        let issues = file.isUsable ? file.issues + made.issues : file.issues
        if global.isMachineReadable { throw CalendarSource.refusal(issues) }
        return try end(with: issues)
      }
      let result = try call.ask { [made, source, dryRun] (store) throws(StoreError) in
        try store.importEvents(
          made, note: EventImport.note(from: document.origin), file: source, isDryRun: dryRun, at: .now)
      }
      let difference = result.difference
      if !dryRun, !difference.changes.isEmpty { await call.poke() }
      if global.isMachineReadable {
        Console.print(["dry_run": .bool(dryRun), "changes": .array(difference.documents)])
      } else if !difference.changes.isEmpty {
        Console.printLines(AddressText.withoutSecrets(difference.lines.joined(separator: "\n") + "\n"))
      }
      try end(with: file.issues + made.issues + result.issues)
    }

    /// Prints what could not be taken; then the import has failed in part.
    private func end(with issues: [PlaylistIssue]) throws {
      for issue in issues { Console.say("\(issue)") }
      if !issues.isEmpty { throw Silent(exit: .badData) }
    }

    private func rules(of file: CalendarFile, _ programmes: [String]) throws -> CalendarRules {
      let clocks = try CalendarClocks(SiteZone(global))
      let today = clocks.site.localTime(at: .now).date
      let known = Dictionary(programmes.map { ($0.lowercased(), $0) }) { $1 }
      return file.rules(from: today.advanced(by: -1), through: today.advanced(by: 3653), clocks: clocks) {
        known[$0.lowercased()]
      }
    }

    /// The target by the names that a site file has.
    private func siteTarget(_ call: ScheduleCall) throws -> RuleTarget {
      let target = try call.target()
      guard case .device(let id) = target else { return target }
      let labels = try call.ask { (store) throws(StoreError) in try store.deviceLabels() }
      return .device(labels[id] ?? id)
    }
  }
}
