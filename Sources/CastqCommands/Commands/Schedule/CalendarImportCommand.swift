import CastGuard
import ArgumentParser
import CastHTTP
import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore

extension CalendarCommand {
  /// `castq calendar import NAME FILE.ics|URL`
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give a calendar the days of an .ics file or address.",
      discussion: """
        Takes the days of the events from a year ago to ten years ahead (RFC 5545). A later import of the same calendar replaces its \
        days, and takes the same pattern unless another one is given.
        """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Name of the calendar.") var name: String
    @Argument(
      help: ArgumentHelp("A file, an address, or - for standard input.", valueName: "file|url"),
      completion: .file())
    var source: String
    @Option(
      help: ArgumentHelp(
        "Only events whose name has this text; * stands for anything.", valueName: "pattern"))
    var keep: String?

    func run() async throws {
      let name = try ScheduleName.checked(ScheduleName.calendar(name), "calendar")
      let call = try ScheduleCall(global)
      let site = try SiteZone(global)
      let known = try call.ask { (store) throws(StoreError) in try store.imported(name) }
      let pattern = keep ?? known?.filter
      // What was left out of the last version may be wanted from the same one now.
      let place = CalendarSource(source, timeout: global.deviceTimeout)
      let isSame = known?.origin == place.origin && known?.filter == pattern
      let document = try await place.read(unless: isSame ? known?.entityTag : nil)
      guard let document else {
        return try call.ask { (store) throws(StoreError) in
          try store.noteUnchanged(calendar: name, at: .now)
        }
      }
      let file = CalendarFile(document.bytes, file: source)
      if !file.isUsable, global.isMachineReadable { throw CalendarSource.refusal(file.issues) }
      for issue in file.issues { Console.say("castq: \(issue.description)") }
      guard file.isUsable else { throw Silent(exit: .badData) }
      let (days, isComplete) = try expansion(of: file, site, keeping: pattern)
      let calendar = CalendarImport(
        name: name, days: days, origin: document.origin, entityTag: document.entityTag, filter: pattern)
      try call.ask { (store) throws(StoreError) in try store.importCalendar(calendar, at: .now) }
      await call.poke()
      if global.isMachineReadable {
        Console.print(ScheduleOutput.calendar(HolidayCalendar(name: name, days: days)))
      }
      if !isComplete {
        Console.say("castq: \(source): it repeats too often, and some of its days are left out")
      }
      if !isComplete || !file.issues.isEmpty { throw Silent(exit: .badData) }
    }

    private func expansion(
      of file: CalendarFile, _ site: SiteZone, keeping pattern: String?
    ) throws -> (days: [LocalDate: String], isComplete: Bool) {
      let zone = try NamedZone(site)
      let today = zone.rules.localTime(at: .now).date
      var zones: [ZoneName: TimeZoneRules] = [:]
      for name in file.zones { zones[name] = site.rules(of: name) }
      let wanted = pattern.map { NamePattern($0) }
      return file.expansion(
        from: today.advanced(by: -366), through: today.advanced(by: 3653), site: zone.rules, zones: zones
      ) { wanted?.matches($0) ?? true }
    }
  }
}

/// Where a calendar comes from.
struct CalendarSource {
  private let source: String
  private let timeout: Duration

  struct Document {
    var bytes: [UInt8]
    var origin: String
    var entityTag: String?
  }

  /// The error in a document when nothing of a calendar can be taken: each mistake with its place.
  static func refusal(_ issues: [PlaylistIssue]) -> Failure {
    Failure("calendar", issues.map { "\($0)" }.joined(separator: "\n"), exit: .badData)
  }

  init(_ source: String, timeout: Duration) {
    self.source = source
    self.timeout = timeout
  }

  /// What is kept of it, and shown.
  var origin: String { CalendarOrigin.text(of: source, in: FileLoader().workingDirectory) }

  /// The calendar; nil when the server still has the version with this tag.
  func read(unless tag: String?) async throws(Failure) -> Document? {
    guard WebAddress.isOnWeb(source) else {
      return Document(bytes: try file(), origin: origin, entityTag: nil)
    }
    var fetch = HTTPFetch(source, under: .owner, byteLimit: CalendarFile.longest)
    (fetch.timeout, fetch.connectTimeout) = (timeout, timeout)
    fetch.accept = "text/calendar, */*"
    fetch.entityTag = tag
    do throws(HTTPFetchError) {
      let fetched = try await HTTPClient().fetch(fetch)
      if fetched.isNotModified { return nil }
      return Document(bytes: fetched.body, origin: origin, entityTag: fetched.entityTag)
    } catch {
      throw Failure("unreadable", "cannot read the calendar: \(error)", exit: .inputMissing)
    }
  }

  private func file() throws(Failure) -> [UInt8] {
    let path = FilePath.isURL(source) ? (try? FilePath.path(url: source)) ?? source : source
    let file = try InputFile(path, patience: timeout)
    defer { file.close() }
    return try file.bytes(limit: CalendarFile.longest)
  }
}
