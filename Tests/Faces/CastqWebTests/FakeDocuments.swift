import CastProtocol
import CastqOperations
import CastqStore
import CastqText
import Synchronization
@testable import CastqWeb

/// Documents without a database: what was asked is kept, and news are what a test says.
final class FakeDocuments: WebDocuments {
  private struct State {
    var questions: [WebQuestion] = []
    var send: AsyncStream<WatchNews>.Continuation?
    var failure: Failure?
    var answer: JSONValue?
    var document: JSONValue?
    var steps: [JSONValue] = []
    var refusal: Failure?
    var isHolding = false
    var held: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var questions: [WebQuestion] { state.withLock { $0.questions } }
  /// What is looked at, as it changes.
  let interests: AsyncStream<WatchInterest>
  private let look: AsyncStream<WatchInterest>.Continuation

  init() { (interests, look) = AsyncStream.makeStream() }

  /// What every question is answered with from now on; nil answers them.
  func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

  /// What every change is answered with from now on; nil answers them as ever.
  func answer(_ document: JSONValue?) { state.withLock { $0.answer = document } }

  /// What every question is answered with from now on, also as a table; nil answers them as ever.
  func answerAll(_ document: JSONValue?) { state.withLock { $0.document = document } }

  /// What the words of every question are refused with from now on.
  func refuse(_ refusal: Failure) { state.withLock { $0.refusal = refusal } }

  /// Keeps whoever asks a device waiting, until `release`.
  func hold() { state.withLock { $0.isHolding = true } }

  func release() {
    let held = state.withLock { state in
      defer { state.held = [] }
      state.isHolding = false
      return state.held
    }
    for waiter in held { waiter.resume() }
  }

  /// Waits while devices do not answer.
  private func wait() async {
    await withCheckedContinuation { waiter in
      let isHeld = state.withLock { state in
        if state.isHolding { state.held.append(waiter) }
        return state.isHolding
      }
      if !isHeld { waiter.resume() }
    }
  }

  private static let nowhere = Failure(
    "device_unknown", "no device nowhere is known", exit: .deviceUnknown)

  func device(_ name: String) async throws(Failure) -> KnownDevice {
    if let failure = state.withLock({ $0.failure }) { throw failure }
    guard name != "nowhere" else { throw Self.nowhere }
    var device = KnownDevice(unknown: DeviceEndpoint(host: "192.0.2.1", port: 8009))
    device.name = name
    return device
  }

  func check(_ question: WebQuestion) throws(Failure) {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
  }

  /// How far changes are before they are answered.
  func go(through steps: [JSONValue]) { state.withLock { $0.steps = steps } }

  func answer(
    _ question: WebQuestion, step: @escaping @Sendable (JSONValue) async -> Void
  ) async throws(Failure) -> WebDocument {
    if question.isChange { for each in state.withLock({ $0.steps }) { await step(each) } }
    return try await answer(question)
  }

  func answer(_ question: WebQuestion) async throws(Failure) -> WebDocument {
    let (failure, answer) = state.withLock { state in
      state.questions.append(question)
      return (state.failure, state.answer)
    }
    if question.asksDevices { await wait() }
    if let failure { throw failure }
    if let answer, question.isChange { return WebDocument(answer) }
    if let document = state.withLock({ $0.document }) {
      var whole = WebDocument(document, version: "3")
      let options: WebOptions? =
        switch question {
        case .report(_, let options), .paper(_, let options): options
        default: nil
        }
      if options?["format"] == "csv" {
        let cells = ["title", "url", "reason"].compactMap { document[$0]?.string }
        whole.bytes = (
          "text/csv; charset=utf-8", Array("a,b\n\(cells.map(CSVField.text).joined(separator: ","))\n".utf8)
        )
      }
      return whole
    }
    switch question {
    case .device("nowhere"), .status("nowhere", _): throw Self.nowhere
    case .list(.programmes): return WebDocument(["programmes": [["programme": "menus"]]])
    case .rule, .editRule: return WebDocument(["revision": 3], version: "3")
    default: return WebDocument(["answer": .string("\(question)")])
    }
  }

  func news(watching watched: AsyncStream<WatchInterest>) -> AsyncStream<WatchNews> {
    AsyncStream { continuation in
      state.withLock { $0.send = continuation }
      let task = Task {
        for await interest in watched { self.look.yield(interest) }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
