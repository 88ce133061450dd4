import CastqOperations
import CastqText

/// Asks devices for those who read over the page, as `QuestionQueue` decides. Commands and changes do not come here, and wait for
/// nothing that does.
actor DeviceQuestions {
  private struct Key: Hashable {
    let question: WebQuestion
    /// What an answer shows depends on it.
    let role: WebRole
  }

  private typealias Answer = Result<WebDocument, Failure>

  private let documents: ShownDocuments
  private var queue: QuestionQueue<Key>
  private var waiters: [Key: [CheckedContinuation<Answer, Never>]] = [:]

  init(_ documents: ShownDocuments, _ limits: WebLimits) {
    self.documents = documents
    queue = QuestionQueue(places: limits.questions, waitingOfOne: limits.waitingQuestions)
  }

  /// Answers a question when it has its turn.
  /// - Throws: `too_many_questions` when too many of this asker wait; the failure of the question.
  func answer(
    _ question: WebQuestion, for visitor: WebVisitor, at peer: String?
  ) async throws(Failure) -> WebDocument {
    let key = Key(question: question, role: visitor.role)
    // Behind tokens there are many at one address, behind an address without tokens one.
    let asker = visitor.token.map { "token \($0.name)" } ?? "address \(peer ?? "")"
    let answer = await withCheckedContinuation { (waiter: CheckedContinuation<Answer, Never>) in
      let admission = queue.admit(key, from: asker)
      guard admission != .refused else { return waiter.resume(returning: .failure(Self.tooMany)) }
      waiters[key, default: []].append(waiter)
      if admission == .begins { ask(key) }
    }
    return try answer.get()
  }

  private static let tooMany = Failure(
    "too_many_questions", "too many questions to devices wait for an answer; try again", exit: .tryAgain)

  private func ask(_ key: Key) {
    Task {
      let answer: Answer
      do throws(Failure) {
        answer = .success(try await documents.answer(key.question, for: key.role))
      } catch {
        answer = .failure(error)
      }
      end(key, answer)
    }
  }

  private func end(_ key: Key, _ answer: Answer) {
    for waiter in waiters.removeValue(forKey: key) ?? [] { waiter.resume(returning: answer) }
    for next in queue.end(key) { ask(next) }
  }
}

extension WebSite {
  /// Answers a question of somebody who reads: what asks a device waits for its turn, anything else does not.
  func answer(_ question: WebQuestion, for request: WebRequest) async throws(Failure) -> WebDocument {
    question.asksDevices
      ? try await questions.answer(question, for: request.visitor, at: request.peer)
      : try await documents.answer(question, for: request.visitor.role)
  }
}
