/// Devices that announce themselves on loopback are heard by every command that searches there. Tests that announce some have it one after
/// the other, so that each knows who answers.
actor LoopbackNetwork {
  private static let shared = LoopbackNetwork()
  /// What a command needs to search there.
  static let variables = ["CASTQ_INTERFACES": "lo"]

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Runs a body while no other test announces anything.
  static func alone<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async rethrows -> Value {
    await shared.take()
    do {
      let value = try await body()
      await shared.leave()
      return value
    } catch {
      await shared.leave()
      throw error
    }
  }

  private func take() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave() {
    guard !waiting.isEmpty else {
      isTaken = false
      return
    }
    waiting.removeFirst().resume()
  }
}
