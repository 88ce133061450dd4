import CastProtocol

/// Decides how the plays of a site get to the centre: in batches, in order, each removed here after the centre has committed it.
///
/// A process that ends at any point begins again at the first play that is still here; the centre keeps each number once.
package struct UplinkMachine: Sendable {
  package enum Event: Sendable, Hashable {
    /// The process began, or a wait is over.
    case woke
    case connected
    /// The centre is unreachable, or answered with an error that another attempt may not have.
    case failed(String)
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
    case wait(Duration)
    case report(String)
  }

  /// Plays of one transaction.
  package static let batch = 1000
  /// How long an empty outbox is left alone.
  package static let pause = Duration.seconds(1)

  private static let waits = ReconnectPolicy(
    waits: [1, 1, 2, 4, 8, 15, 30, 60].map { .seconds($0) }, jitter: 0.5)

  private var isConnected = false
  private var failures = 0
  private var size = UplinkMachine.batch

  package init() {}

  /// - Parameter random: 0 to 1, for waits that differ from site to site.
  package mutating func handle(_ event: Event, random: Double) -> [Action] {
    switch event {
    case .woke: return isConnected ? [.send(size)] : [.connect]
    case .connected:
      isConnected = true
      let back: [Action] = failures > 0 ? [.report("the centre answers again")] : []
      failures = 0
      return back + [.send(size)]
    case .failed(let words):
      let isFirst = failures == 0
      let pause = Self.waits.wait(beforeAttempt: failures, random: random, elapsed: .zero) ?? .seconds(60)
      failures += 1
      isConnected = false
      return [.disconnect]
        + (isFirst ? [.report("the centre does not answer: \(words); plays wait in the outbox")] : []) + [
          .wait(pause)
        ]
    case .idle: return [.wait(Self.pause)]
    case .committed(let numbers):
      size = Self.batch
      return [.remove(numbers), .send(size)]
    case .refused(let first, let count, let words):
      guard count <= 1 else {
        // The half that has it is found in ten steps.
        size = max(1, count / 2)
        return [.send(size)]
      }
      return [
        .report(
          "the centre refuses play number \(first): \(words); it is kept, what follows is sent, and 'castq-link resend' sends it again"
        ),
        .setAside(first, words), .send(size),
      ]
    case .clashed(let first, let count, let highest):
      return [
        .report(
          "the centre has other plays under \(count) numbers: this database is an older copy, or another site has the "
            + "same name; plays from number \(first) on get new numbers"),
        .renumber(from: first, above: highest), .send(size),
      ]
    }
  }
}
