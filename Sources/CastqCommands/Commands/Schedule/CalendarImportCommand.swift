import ArgumentParser
import CastGuard
import CastHTTP
import CastqCore
import CastqDaemon
import CastqOperations
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

    @OptionGroup var given: GivenOptions
    var global: CallOptions { given.call }
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
      let file = CalendarFile(document.bytes, file: source, conversion: SystemCharacterSets.text)
      let found = try days(of: file, site, keeping: pattern)
      let (days, issues) = (found.days, file.issues + found.issues)
      let isUsable = file.isUsable && found.isUsable
      if !isUsable, global.isMachineReadable { throw CalendarSource.refusal(issues) }
      for issue in issues { Console.say("castq: \(issue.description)") }
      guard isUsable else { throw Silent(exit: .badData) }
      let calendar = CalendarImport(
        name: name, days: days, origin: document.origin, entityTag: document.entityTag, filter: pattern)
      try call.ask { (store) throws(StoreError) in try store.importCalendar(calendar, at: .now) }
      await call.poke()
      if global.isMachineReadable {
        Console.print(ScheduleOutput.calendar(HolidayCalendar(name: name, days: days)))
      }
      if !found.isComplete {
        Console.say("castq: \(source): it repeats too often, and some of its days are left out")
      }
      if !found.isComplete || !issues.isEmpty { throw Silent(exit: .badData) }
    }

    private func days(of file: CalendarFile, _ site: SiteZone, keeping pattern: String?) throws
      -> CalendarDays
    {
      let clocks = try CalendarClocks(site)
      let today = clocks.site.localTime(at: .now).date
      let wanted = pattern.map { NamePattern($0) }
      return file.days(from: today.advanced(by: -366), through: today.advanced(by: 3653), clocks: clocks) {
        wanted?.matches($0) ?? true
      }
    }
  }
}

extension CalendarClocks {
  /// Those of the site, and of the zone database of this computer.
  init(_ site: SiteZone) throws(Failure) {
    let (zone, finder) = (try NamedZone(site), ZoneFinder(site.database))
    self.init(site: zone.rules, name: zone.name) { finder.find($0) }
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
    let addresses = CalendarOrigin.addresses(of: source)
    guard let first = addresses.first else {
      return Document(bytes: try file(), origin: origin, entityTag: nil)
    }
    do throws(HTTPFetchError) { return try await fetch(first, unless: tag) } catch {
      guard let second = addresses.dropFirst().first, error.isOfConnection else { throw Self.failure(error) }
      do throws(HTTPFetchError) { return try await fetch(second, unless: tag) } catch {
        throw Self.failure(error)
      }
    }
  }

  private static func failure(_ error: HTTPFetchError) -> Failure {
    Failure("unreadable", "cannot read the calendar: \(error)", exit: .inputMissing)
  }

  private func fetch(_ address: String, unless tag: String?) async throws(HTTPFetchError) -> Document? {
    var fetch = HTTPFetch(address, under: .owner, byteLimit: CalendarFile.longest)
    (fetch.timeout, fetch.connectTimeout) = (timeout, timeout)
    fetch.accept = "text/calendar, */*"
    fetch.entityTag = tag
    let fetched = try await HTTPClient().fetch(fetch)
    if fetched.isNotModified { return nil }
    return Document(bytes: fetched.body, origin: origin, entityTag: fetched.entityTag)
  }

  private func file() throws(Failure) -> [UInt8] {
    let path = FilePath.isURL(source) ? (try? FilePath.path(url: source)) ?? source : source
    let file = try InputFile(path, patience: timeout)
    defer { file.close() }
    return try file.bytes(limit: CalendarFile.longest)
  }
}

extension HTTPFetchError {
  /// Whether nobody has answered in the way that the address asks for: no server is there, or it has no TLS.
  fileprivate var isOfConnection: Bool {
    switch kind {
    case .connectionRefused, .unreachable, .secureTransport, .network, .truncated, .timeout: true
    default: false
    }
  }
}
