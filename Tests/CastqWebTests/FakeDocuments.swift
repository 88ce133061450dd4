import CastProtocol
import CastqCore
import Synchronization

import CastqDocuments
@testable import CastqWeb

/// Documents without a database: what was asked is kept, and news are what a test says.
final class FakeDocuments: WebDocuments {
  private struct State {
    var questions: [WebQuestion] = []
    var send: AsyncStream<WebNews>.Continuation?
    var failure: ControlFailure?
  }

  private let state = Mutex(State())

  var questions: [WebQuestion] { state.withLock { $0.questions } }
  /// What is looked at, as it changes.
  let interests: AsyncStream<WebInterest>
  private let look: AsyncStream<WebInterest>.Continuation

  init() { (interests, look) = AsyncStream.makeStream() }

  /// What every question is answered with from now on; nil answers them.
  func fail(_ failure: ControlFailure?) { state.withLock { $0.failure = failure } }

  func answer(_ question: WebQuestion) async throws(ControlFailure) -> WebDocument {
    let failure = state.withLock { state in
      state.questions.append(question)
      return state.failure
    }
    if let failure { throw failure }
    switch question {
    case .device("nowhere"), .status("nowhere", _):
      throw ControlFailure("device_unknown", "no device nowhere is known", exit: .deviceUnknown)
    case .list(.programmes): return WebDocument(["programmes": [["name": "menus"]]])
    case .rule: return WebDocument(["revision": 3], version: "3")
    default: return WebDocument(["answer": .string("\(question)")])
    }
  }

  func news(watching watched: AsyncStream<WebInterest>) -> AsyncStream<WebNews> {
    AsyncStream { continuation in
      state.withLock { $0.send = continuation }
      let task = Task {
        for await interest in watched { self.look.yield(interest) }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
