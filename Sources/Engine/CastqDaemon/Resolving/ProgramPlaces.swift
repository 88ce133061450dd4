/// Lets so many tasks in at a time; the others wait in their order.
actor ProgramPlaces {
  private var free: Int
  private var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  private var numbers = 0

  init(_ count: Int) { free = count }

  /// Waits for a place. Throws `CancellationError` when the task is cancelled first; the place is then another's.
  func enter() async throws {
    try Task.checkCancellation()
    if free > 0 {
      free -= 1
      return
    }
    numbers += 1
    let number = numbers
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting.append((number, $0)) }
    } onCancel: {
      Task { await self.cancel(number) }
    }
  }

  /// Gives a place back.
  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().continuation.resume() }
  }

  private func cancel(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).continuation.resume(throwing: CancellationError())
  }
}
