/// Which questions devices are asked, and in what order: a few at a time, shared fairly among those who ask.
///
/// A question that is being asked, or waits for it, is asked once for all. Nobody has more than half of the places, so that a wall
/// display that asks a television that is off leaves room for others.
struct QuestionQueue<Question: Hashable> {
  enum Admission: Hashable {
    /// It is asked now.
    case begins
    /// It is asked later.
    case waits
    /// Its answer comes with that of the same question.
    case joins
    /// Too many of this asker wait.
    case refused
  }

  private let places: Int
  private let waitingOfOne: Int
  /// What is being asked, by whom.
  private var running: [Question: String] = [:]
  private var waiting: [String: [Question]] = [:]
  /// Those of whom something waits, who is next first.
  private var turns: [String] = []

  /// - Parameters:
  ///   - places: questions at a time.
  ///   - waitingOfOne: questions of one asker that may wait.
  init(places: Int, waitingOfOne: Int) {
    self.places = max(places, 1)
    self.waitingOfOne = max(waitingOfOne, 0)
  }

  mutating func admit(_ question: Question, from asker: String) -> Admission {
    if running[question] != nil || waiting.values.contains(where: { $0.contains(question) }) { return .joins }
    if hasPlace(for: asker) {
      running[question] = asker
      return .begins
    }
    guard waiting[asker, default: []].count < waitingOfOne else { return .refused }
    if waiting[asker] == nil { turns.append(asker) }
    waiting[asker, default: []].append(question)
    return .waits
  }

  /// A question is answered.
  /// - Returns: those that are asked now.
  mutating func end(_ question: Question) -> [Question] {
    running[question] = nil
    var begun: [Question] = []
    while let turn = turns.firstIndex(where: hasPlace) {
      let asker = turns.remove(at: turn)
      guard var own = waiting.removeValue(forKey: asker), !own.isEmpty else { continue }
      let next = own.removeFirst()
      running[next] = asker
      begun.append(next)
      guard !own.isEmpty else { continue }
      waiting[asker] = own
      turns.append(asker)
    }
    return begun
  }

  private func hasPlace(for asker: String) -> Bool {
    running.count < places && running.values.count { $0 == asker } < max(places / 2, 1)
  }
}
