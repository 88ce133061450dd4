import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqTerminal
import CastqText

/// The texts of the remote, as the commands of the same names print them into a file.
struct RemoteTexts: Sendable {
  private let call: CallOptions
  private let workspace: Workspace

  init(_ global: CallOptions, _ workspace: Workspace, _ device: KnownDevice) {
    var call = global
    if device.id != DeviceID(0) { call.device = [device.handle] }
    (self.call, self.workspace) = (call, workspace)
  }

  /// The lines of a text, or what went wrong.
  func lines(of text: RemoteText) async -> [String] {
    do throws(Failure) {
      switch text {
      case .plan: return try await plan()
      case .why: return try await why()
      case .log: return try await log()
      case .help: return []
      }
    } catch { return [error.shownMessage] }
  }

  private func plan() async throws(Failure) -> [String] {
    var text = ""
    _ = try await PlanRun(call, PlanQuery(), workspace).write(as: { PlanText($0, on: nil) }) { text += $0 }
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private func why() async throws(Failure) -> [String] {
    let reply = try await WhyRun(call, tz: nil, workspace).reply(nil)
    return (reply.lines + [reply.remark?.typed].compactMap(\.self)).map {
      TerminalText.sanitized(AddressText.withoutSecrets($0))
    }
  }

  private func log() async throws(Failure) -> [String] {
    let (plays, zone) = try await plays(200)
    guard !plays.isEmpty else { return [] }
    var table = HistoryTable(zone: zone)
    table.isOfOneDevice = true
    return table.lines(plays) + [zone.legend]
  }

  /// The newest plays, the newest first.
  private func plays(_ limit: Int) async throws(Failure) -> ([PlayRecord], Zone) {
    let period = try PeriodQuery().read(call)
    let filter = try await workspace.filter(call, period, outcome: nil, limit: limit)
    let plays = try workspace.ask { (here) throws(StoreError) in try here.history.plays(matching: filter) }
    return (plays.reversed(), period.zone)
  }

  /// A text in short lines, for a narrow place; what went wrong in place of it.
  func shortLines(of text: RemoteText) async -> [String] {
    do throws(Failure) {
      switch text {
      case .plan: return Self.short(try await plan())
      case .log:
        let (plays, zone) = try await plays(50)
        return plays.map { Self.short($0, zone) }
      case .why: return try await why()
      case .help: return []
      }
    } catch { return [error.shownMessage] }
  }

  /// The day of the first line is said once.
  private static func short(_ plan: [String]) -> [String] {
    let lines = plan.dropLast()
    let day = lines.first.map { $0.split(separator: " ").prefix(3).joined(separator: " ") + " " } ?? ""
    return lines.map { $0.hasPrefix(day) ? String($0.dropFirst(day.count)) : $0 }
  }

  /// `09:00 Welcome`; what did not end well says how.
  private static func short(_ play: PlayRecord, _ zone: Zone) -> String {
    let clock = (play.startedAt ?? play.endedAt).map { zone.text($0).dropFirst(11).prefix(5) } ?? "-"
    let outcome = play.outcome.map { $0 == .finished ? "" : "  \($0.rawValue)" } ?? "  playing"
    let reason = play.outcome == .failed ? play.explanation.map { ": \($0)" } ?? "" : ""
    return TerminalText.sanitized(AddressText.withoutSecrets("\(clock) \(play.title)\(outcome)\(reason)"))
  }
}
