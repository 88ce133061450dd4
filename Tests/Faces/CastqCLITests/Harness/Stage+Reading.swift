import CastProtocol
import CastqOperations
import CastqStore
import Foundation
import Testing

/// What there is, read without a program: most tests look at the history, the queue or the status of what programs did.
extension Stage {
  /// As a program that is started in this world has it.
  private var call: CallOptions {
    var call = CallOptions()
    call.db = database
    call.isServing = true
    let config = "\(folder)/config/castq/config.yaml"
    if access(config, F_OK) == 0 { call.config = config }
    return call
  }

  /// The history, a play a document as of `castq history --jsonl`.
  func history() async throws -> [Document] { try plays(of: Workspace(call, isReader: true)) }

  private func plays(of workspace: Workspace) throws -> [Document] {
    try workspace.history.plays(matching: HistoryStore.Filter()).map {
      try Document(JSONOutput.play($0).text)
    }
  }

  /// Waits until history has a play for which this is true: a receiver says what it does before castq has heard and written it.
  func awaitPlay(
    sourceLocation: Testing.SourceLocation = #_sourceLocation, _ accepts: (Document) -> Bool
  ) async throws {
    let workspace = try Workspace(call, isReader: true)
    let changes = workspace.changes()
    if try plays(of: workspace).contains(where: accepts) { return }
    for await _ in changes where try plays(of: workspace).contains(where: accepts) { return }
    Issue.record("no such play", sourceLocation: sourceLocation)
  }

  /// The queue of the only device, as `castq queue --json` has it.
  func queue() async throws -> Document {
    let workspace = try Workspace(call, isReader: true)
    let device = try await workspace.device(call)
    let document = try workspace.ask { (here) throws(StoreError) in
      JSONOutput.queue(
        try here.filled(try here.queue.entries(for: device.id)), of: try here.queue.order(of: device.id),
        try here.queue.settings(for: device.id), on: device)
    }
    return try Document(document.text)
  }

  /// The status of the only device, as `castq status --json` has it.
  func status() async throws -> Document {
    let workspace = try Workspace(call, isReader: true)
    let device = try await workspace.device(call)
    let look = StatusLook(
      call: DeviceCall(device, in: workspace, call), options: DeviceCall.observing(call))
    return try Document(try await workspace.status(of: device, look, call).state.json.text)
  }
}
