import CastProtocol
import CastSender
import CastqFeeding
import CastqOperations
import CastqStore
import CastqText

/// Performs what comes from a broker, by the functions that perform what people type and click.
struct BrokerControl: Sendable {
  /// Open for as long as the program runs, beside the uplink: that waits for none of the commands, which may write.
  let workspace: Workspace
  private let global: CallOptions
  private let executor = OperationExecutor()
  private let time: TimeSource

  /// How long a command may take.
  private static let patience = Duration.seconds(30)

  init(_ options: CallOptions, time: TimeSource = .continuous) throws(Failure) {
    global = options.serving
    workspace = try Workspace(global)
    self.time = time
  }

  /// - Parameter device: the name of a device of the ledger.
  /// - Returns: why it failed; nil when it is done.
  func perform(_ verb: PlaybackVerb, on device: String) async -> Failure? {
    await withTaskExecutorPreference(executor) {
      await withTaskGroup(of: Failure?.self) { group in
        group.addTask { await failure(of: verb, on: device) }
        group.addTask { [time] in
          let isOver = (try? await time.sleep(Self.patience)) != nil
          return isOver
            ? Failure(
              "timeout", "\(device): not done within \(Self.patience.components.seconds) s", exit: .timeout)
            : Failure("interrupted", "castq-link ends", exit: .terminated)
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
      }
    }
  }

  private func failure(of verb: PlaybackVerb, on device: String) async -> Failure? {
    var call = global
    call.device = [device]
    do throws(Failure) {
      let known = try await workspace.device(call)
      try await LiveControl(global: call, workspace: workspace, device: known).perform(verb)
      return nil
    } catch { return error.shown }
  }
}
