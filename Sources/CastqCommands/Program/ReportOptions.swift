import ArgumentParser
import CastqCore
import CastqStore

/// What the reports of numbers have in common.
struct ReportOptions: ParsableArguments {
  @Option(help: "What the rows are: media, device, day, hour or rule.")
  var by: ReportKey?

  @Flag(help: "Print comma-separated values.")
  var csv = false

  /// - Parameter keys: those that the report has.
  func check(_ global: GlobalOptions, keys: Set<ReportKey>) throws {
    if csv, global.isMachineReadable { throw ValidationError("choose one of --csv, --json and --jsonl") }
    guard let by, !keys.contains(by) else { return }
    let known = ReportKey.allCases.filter(keys.contains).map(\.rawValue).joined(separator: ", ")
    throw ValidationError("this report has no rows by \(by.rawValue); it has \(known)")
  }
}

extension ReportKey: ExpressibleByArgument {}

/// A report that is being made: what it reads, and what of it.
struct ReportRun {
  let workspace: Workspace
  let store: ReportStore
  let devices: Set<DeviceID>?
  private let asked: Period
  let now: WallTime
  private let global: GlobalOptions
  private let isCSV: Bool

  init(_ global: GlobalOptions, _ period: PeriodOptions, _ options: ReportOptions) async throws {
    asked = try period.read(global)
    workspace = try Workspace(global, isReader: true)
    store = ReportStore(workspace.database)
    now = .now
    var devices: Set<DeviceID> = []
    let named = try global.expandedDevices()
    let selectors = named.isEmpty ? global.deviceSelector.map { [$0] } ?? [] : named
    for selector in selectors { devices.insert(try await workspace.device(selector, adding: false).id) }
    self.devices = selectors.isEmpty ? nil : devices
    self.global = global
    isCSV = options.csv
  }

  /// Everything up to the end of time where the period is open.
  var period: Range<WallTime> {
    let start = asked.since ?? WallTime(milliseconds: .min)
    return start..<max(start, asked.until ?? .latest)
  }

  func grouping(_ key: ReportKey) -> ReportGrouping {
    ReportGrouping(key) { [zone = asked.zone] in zone.utcOffset(at: $0) }
  }

  func document(_ name: String, by key: ReportKey?, _ columns: [(String, String)]) -> ReportDocument {
    ReportDocument(
      name: name, by: key, columns: columns.map { .init(key: $0.0, title: $0.1) }, period: asked)
  }

  func readPlays(_ receive: (ReportPlay) -> Void) throws(Failure) {
    try workspace.ask { (here) throws(StoreError) in
      try store.readPlays(in: period, of: devices, receive)
    }
  }

  func print(_ document: ReportDocument) throws {
    if global.json {
      Console.print(document.json)
    } else if global.jsonl {
      document.documents.forEach { Console.print($0) }
    } else if isCSV {
      document.csv.forEach { Console.print($0) }
    } else {
      document.lines(width: Console.dataWidth).forEach { Console.print($0) }
      if document.rows.isEmpty, !global.quiet, Console.talksToTerminal {
        Console.say("castq: there is nothing to report\(asked.words)")
      }
    }
    try workspace.reportDamage()
  }
}
