import CastProtocol
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
    let period = try PeriodQuery().read(call)
    let filter = try await workspace.filter(call, period, outcome: nil, limit: 200)
    let plays = try workspace.ask { (here) throws(StoreError) in try here.history.plays(matching: filter) }
    guard !plays.isEmpty else { return [] }
    return HistoryTable(zone: period.zone).lines(plays) + [period.zone.legend]
  }
}
