package import CastProtocol

/// Decides how the plays of a site get to the centre: in batches, in order, each removed here after the centre has committed it.
///
/// A process that ends at any point begins again at the first play that is still here; the centre keeps each number once.
package struct UplinkMachine: Sendable {
  package enum Event: Sendable, Hashable {
    /// The process began, or a wait is over.
    case woke
    case connected
    /// The centre is unreachable.
    case failed(String)
    /// The centre answers, and cannot be used; the words go on after "the centre", as in "refuses: …".
    case denied(String)
    /// The database of this site could not be read or written, for this reason.
    case held(String)
    /// There is nothing to send.
    case idle
    /// The centre has committed a batch.
    /// - Parameter numbers: its numbers.
    case committed([Int64])
    /// The centre refuses the data of a batch.
    /// - Parameters:
    ///   - first: its first number.
    ///   - count: how many plays it had.
    case refused(first: Int64, count: Int, String)
    /// The centre has other plays of this site under some numbers, and nothing of the batch from the first of them on.
    /// - Parameter highest: the highest number that it has of this site.
    case clashed(first: Int64, count: Int, highest: Int64)
    /// Numbers from the first one on are of months that have not come yet, by the clock of the centre, and nothing of the batch was
    /// written.
    /// - Parameter above: numbers behind this one are free, and of a month that has come.
    case ahead(first: Int64, above: Int64)
  }

  package enum Action: Sendable, Hashable {
    case connect
    case disconnect
    /// Send the oldest plays, at most so many.
    case send(Int)
    /// Remove the plays of these numbers, and no others: lower ones may have come back meanwhile.
    case remove([Int64])
    /// Keep this play, and why it was refused.
    case setAside(Int64, String)
    /// Give every play from this number on a new one, so that their order stays.
    case renumber(from: Int64, above: Int64)
    /// Give every play from this number on a lower one, behind those before it and behind `above`.
    case renumberBack(from: Int64, above: Int64)
    case wait(Duration)
    case report(String)
  }

  /// Plays of one transaction.
  package static let batch = 1000
  /// How long an empty outbox is left alone.
  package static let pause = Duration.seconds(1)

  private static let waits = ReconnectPolicy(
    waits: [1, 1, 2, 4, 8, 15, 30, 60].map { .seconds($0) }, jitter: 0.5)

  /// How often plays that have the numbers of others are reported.
  package static let clashPause = Duration.seconds(3600)

  /// What was reported of the centre.
  private enum Trouble: Sendable, Hashable {
    case silence
    case refusal(String)
  }

  private var isConnected = false
  /// Attempts since the centre has done what it was asked for.
  private var failures = 0
  private var trouble: Trouble?
  /// Attempts that the database of this site has failed since the outbox was empty, and its last reason.
  private var holds = 0
  private var hold: String?
  private var clashReported: Tick?
  private var aheadReported: Tick?
  private var size = UplinkMachine.batch

  package init() {}

  /// - Parameters:
  ///   - random: 0 to 1, for waits that differ from site to site.
  ///   - now: the time of the event.
  package mutating func handle(_ event: Event, random: Double, at now: Tick) -> [Action] {
    switch event {
    case .woke: return isConnected ? [.send(size)] : [.connect]
    case .connected:
      isConnected = true
      return [.send(size)]
    case .failed(let words):
      return lost(.silence, "the centre does not answer: \(words); plays wait in the outbox", random)
    case .denied(let words):
      return lost(.refusal(words), "the centre \(words); plays wait in the outbox", random)
    case .held(let words):
      let isNew = words != hold
      hold = words
      holds += 1
      return (isNew ? [.report(words)] : []) + [.wait(Self.wait(after: holds, random))]
    case .idle:
      (holds, hold) = (0, nil)
      return answered() + [.wait(Self.pause)]
    case .committed(let numbers):
      size = Self.batch
      return answered() + [.remove(numbers), .send(size)]
    case .refused(let first, let count, let words):
      guard count <= 1 else {
        // The half that has it is found in ten steps.
        size = max(1, count / 2)
        return answered() + [.send(size)]
      }
      return answered() + [
        .report(
          "the centre refuses play number \(first): \(words); it is kept, what follows is sent, and 'castq-link resend' sends it again"
        ),
        .setAside(first, words), .send(size),
      ]
    case .clashed(let first, let count, let highest):
      // Of two sites of one name, each batch may find the numbers of the other one.
      let isDue = clashReported.map { now - $0 >= Self.clashPause } ?? true
      if isDue { clashReported = now }
      let words =
        "the centre has other plays under \(count) numbers: this database is an older copy, or another site has the "
        + "same name; plays from number \(first) on get new numbers"
      return answered() + (isDue ? [.report(words)] : []) + [
        .renumber(from: first, above: highest), .send(size),
      ]
    case .ahead(let first, let lowest):
      // While the clock is ahead, each play is.
      let isDue = aheadReported.map { now - $0 >= Self.clashPause } ?? true
      if isDue { aheadReported = now }
      let words =
        "the clock of this site was ahead of the centre's by months: plays from number \(first) on get numbers of this month"
      return answered() + (isDue ? [.report(words)] : []) + [
        .renumberBack(from: first, above: lowest), .send(size),
      ]
    }
  }

  /// Each trouble is reported once, until the centre has done what it was asked for.
  private mutating func lost(_ trouble: Trouble, _ words: String, _ random: Double) -> [Action] {
    let isNew = trouble != self.trouble
    self.trouble = trouble
    failures += 1
    isConnected = false
    return [.disconnect] + (isNew ? [.report(words)] : []) + [.wait(Self.wait(after: failures, random))]
  }

  /// A connection alone is no answer: a centre may accept it and refuse everything else.
  private mutating func answered() -> [Action] {
    defer { (failures, trouble) = (0, nil) }
    return failures > 0 ? [.report("the centre answers again")] : []
  }

  private static func wait(after attempts: Int, _ random: Double) -> Duration {
    waits.wait(beforeAttempt: attempts - 1, random: random, elapsed: .zero) ?? .seconds(60)
  }
}
