import CastGuard
import CastProtocol
import CastSender
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText
import UnixSignals

/// Waiting for the whole list.
extension FeederCall {
  /// Requests feeding and waits until the queue is drained, as `castq run` does. A signal or the time limit stops the media.
  /// - Parameters:
  ///   - limit: seconds until the media is stopped; nil means no limit.
  ///   - following: the sources whose edits are applied; nil applies none.
  func run(
    _ request: FeedRequest, limit: Double?, following: (input: SourceRequest, list: SourceList)? = nil
  ) async -> RunResult {
    var request = request
    request.waits = true
    let feeding = Task { [request] in
      await Result.catching { () async throws(Failure) in try await feed(request) }
    }
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let caught = SignalMemory()
    let (result, hasRunOut) = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await signal in signals {
          caught.remember(signal == .sigint ? .interrupted : .terminated)
          await stop(feeding, "castq was stopped by a signal")
        }
      }
      let answer = await answer(to: feeding, limit, following)
      // From here on the limit and the sources of this command concern nobody: the list may be another one.
      if case .hosted(let host) = peer { await host.finish(after: answer.result) }
      group.cancelAll()
      return answer
    }
    if let status = caught.status { return RunResult(.stopped, signal: status) }
    if case .failure(let failure) = result, failure.code == Failure.replaced.code {
      return RunResult(failure)
    }
    if hasRunOut { return RunResult(.timeOver) }
    switch result {
    case .failure(let failure): return RunResult(failure)
    case .success(let outcome):
      guard outcome["halted"]?.bool == true else { return RunResult(.drained) }
      reportStopped()
      return RunResult(.stopped)
    }
  }

  /// The reply to a request, while the sources are followed and the time limit is kept.
  private func answer(
    to feeding: Task<Result<JSONValue, Failure>, Never>, _ limit: Double?,
    _ following: (input: SourceRequest, list: SourceList)?
  ) async -> (result: Result<JSONValue, Failure>, hasRunOut: Bool) {
    await withTaskGroup(of: Bool.self) { group in
      if let following {
        group.addTask {
          await follow(following.input, following.list)
          return false
        }
      }
      if let limit {
        group.addTask {
          guard (try? await TimeSource.continuous.sleep(.bounded(seconds: limit))) != nil else {
            return false
          }
          await stop(nil, "the time limit of castq was reached")
          return true
        }
      }
      let result = await feeding.value
      group.cancelAll()
      return (result, await group.contains(true))
    }
  }

  /// Stops the media. Failures are ignored: the program is ending.
  /// - Parameter wait: the wait to abandon; a host's own wait ends when its device is released.
  private func stop(_ wait: Task<Result<JSONValue, Failure>, Never>?, _ reason: String) async {
    if case .hosted(let host) = peer { return host.stop(reason) }
    _ = try? await ask(.perform(.stop(quits: false)), timeout: .seconds(2))
    wait?.cancel()
  }

  private func follow(_ input: SourceRequest, _ list: SourceList) async {
    await workspace.follow(
      input, list, resolvers: Resolvers.rules(global), allowing: LocalPlaces(global),
      music: MusicFolders(global), for: device,
      timeout: global.deviceTimeout, say: global.say
    ) {
      // Without the poke, the feeder notices the change within a second.
      _ = try? await ask(.poke, timeout: .seconds(2))
    }
  }

  private func reportStopped() {
    guard !global.quiet else { return }
    Console.say(
      "castq: \(device.label): stopped by 'castq stop'; the queue is kept, 'castq play' resumes it")
  }
}
