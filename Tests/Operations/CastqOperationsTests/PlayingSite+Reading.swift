import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqOperations
import CastqStore
import Foundation

/// What is there, and what was done.
extension PlayingSite {
  /// The types of the messages that senders sent to the receiver, in their order.
  func requests() throws -> [String] { try messages().compactMap { $0["type"]?.string } }

  func messages() throws -> [JSONValue] { try heard().compactMap { $0["data"] } }

  /// The namespaces of these messages.
  func namespaces() throws -> [String] { try heard().compactMap { $0["namespace"]?.string } }

  private func heard() throws -> [JSONValue] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .map { try JSONValue(parsing: Array($0.utf8)) }.filter { $0["dir"]?.string == "in" }
  }

  func status(of device: String? = nil) async throws -> JSONValue {
    var call = call
    if let device { call.device = [device] }
    let workspace = try Workspace(call, isReader: true)
    let device = try await workspace.device(call)
    let look = StatusLook(
      call: DeviceCall(device, in: workspace, call), options: DeviceCall.observing(call))
    let (state, failure) = try await workspace.status(of: device, look, call)
    if let failure { throw failure }
    return state.json
  }

  func entries(of device: String? = nil) async throws -> [QueueEntry] {
    var call = call
    if let device { call.device = [device] }
    let queue = try await QueueCall(call)
    return try queue.workspace.queue.entries(for: queue.device.id)
  }

  /// The states of the entries, in their order.
  func states() async throws -> [EntryState] { try await entries().map(\.state) }

  func plays() throws -> [PlayRecord] {
    try Workspace(call, isReader: true).history.plays(matching: HistoryStore.Filter())
  }

  /// `TITLE OUTCOME EVIDENCE` of each play.
  func outcomes() throws -> [String] {
    try plays().map {
      "\($0.title) \($0.outcome?.rawValue ?? "?") \($0.evidence?.rawValue ?? "?")"
    }
  }

  /// Waits until history has a play for which this is true: it is written when castq has heard of it.
  func awaitPlay(_ accepts: (PlayRecord) -> Bool) async throws {
    let workspace = try Workspace(call, isReader: true)
    let changes = workspace.changes()
    if try plays().contains(where: accepts) { return }
    for await _ in changes where try plays().contains(where: accepts) { return }
  }

  /// A list of so many tones of the same length, titled "Tone 1" and so on; its path.
  func tones(_ count: Int, seconds: Int) throws -> String {
    var text = "#EXTM3U\n"
    for number in 1...count {
      try tone("tone-\(number).wav", seconds: seconds)
      text += "#EXTINF:-1,Tone \(number)\ntone-\(number).wav\n"
    }
    return try site.file("list.m3u", text)
  }

  /// A WAV file of silence that lasts so long; its path.
  @discardableResult
  func tone(_ name: String, seconds: Int) throws -> String {
    let path = "\(site.folder)/\(name)"
    try SilentWave.write(to: path, seconds: Double(seconds))
    return path
  }
}
