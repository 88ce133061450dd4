import CastProtocol
import CastSender
import CastqLink
import CastqOperations
import CastqText
import Synchronization

/// Asks for the site's bundle about once a minute and when one is announced, by its ETag, and applies each new one at its time; so it
/// does with what a person has applied and has to wait.
actor BundleFollower {
  private let desk: BundleDesk
  /// The address of the configuration; nil is none.
  private let source: String?
  private let time: TimeSource
  private let wakes: AsyncStream<Void>
  private let send: AsyncStream<Void>.Continuation
  private let isAnnounced = Mutex(false)

  /// A bundle that is here and not applied yet.
  private struct Due {
    let bytes: [UInt8]
    /// Its time; nil is the next question, for one that the site could not apply.
    var moment: WallTime?
  }

  /// What was read last.
  private var known: BundleDesk.Version?
  /// What is applied at its time whatever becomes of the link.
  private var due: [BundleDesk.Giver: Due] = [:]
  /// What was reported last: of the bundles, and, as nil, of the question.
  private var problems: [BundleDesk.Giver?: String] = [:]

  /// The shortest time between two questions, however often bundles are announced.
  private static let shortestPause = Duration.seconds(1)
  /// How soon is noticed what a person has brought.
  private static let glance = Duration.seconds(5)
  /// How long a bundle may take to come; and while another one waits for its time.
  private static let (patience, shortPatience) = (Duration.seconds(300), Duration.seconds(30))

  init(_ desk: BundleDesk, source: String?, time: TimeSource = .continuous) {
    self.desk = desk
    self.source = source
    self.time = time
    (wakes, send) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Asks soon. Safe from anywhere.
  nonisolated func look() {
    isAnnounced.withLock { $0 = true }
    send.yield()
  }

  /// Runs until its task is cancelled.
  func run() async {
    var wakes = wakes.makeAsyncIterator()
    for giver in BundleDesk.Giver.allCases { due[giver] = desk.waiting(of: giver).map { Due(bytes: $0) } }
    var question = time.now()
    while !Task.isCancelled {
      await applyDue()
      if time.now() >= question {
        isAnnounced.withLock { $0 = false }
        await ask()
        question = time.now() + .bounded(seconds: .random(in: 45...75))
      }
      let shortest = time.now() + Self.shortestPause
      let timer = Task { [time, send, pause = pause(until: question)] in
        if (try? await time.sleep(pause)) != nil { send.yield() }
      }
      _ = await wakes.next()
      timer.cancel()
      if isAnnounced.withLock({ $0 }) { question = min(question, shortest) }
    }
  }

  private func pause(until question: Tick) -> Duration {
    let moments = due.values.compactMap(\.moment).map { Duration.bounded(seconds: max($0 - .now, 0.05)) }
    return ([Self.glance, max(question - time.now(), .zero)] + moments).min() ?? Self.glance
  }

  /// Applies what has come to its time, and what a person has brought since the last glance.
  private func applyDue() async {
    let brought = desk.waiting(of: .person)
    if brought != due[.person]?.bytes {
      due[.person] = nil
      if let brought { await apply(brought, of: .person) }
    }
    for (giver, due) in due where due.moment.map({ $0 <= .now }) ?? false {
      await apply(due.bytes, of: giver)
    }
  }

  /// Reads what is at the address now, and tries again what could not be applied.
  private func ask() async {
    var isFollowed = false
    if let source {
      do throws(Failure) {
        let patience = due.isEmpty ? Self.patience : Self.shortPatience
        if let version = try await desk.load(
          source, limit: SiteBundle.longest, known: known, within: patience)
        {
          known = version
          isFollowed = true
          await apply(version.bytes, of: .address)
        }
        problems[nil] = nil
      } catch { report(error, of: nil) }
    }
    for (giver, due) in due where due.moment == nil && !(giver == .address && isFollowed) {
      await apply(due.bytes, of: giver)
    }
  }

  private func apply(_ bundle: [UInt8], of giver: BundleDesk.Giver) async {
    let before = due[giver]
    var next: Due?
    var news: BundleDesk.Outcome?
    do throws(Failure) {
      let outcome = try await desk.apply(bundle, from: source ?? "", isDry: false, isRollback: false)
      if outcome.deed == .waiting { next = Due(bytes: bundle, moment: outcome.until) }
      if bundle != before?.bytes || outcome.deed == .applied { news = outcome }
      problems[giver] = nil
    } catch {
      switch BundleRemedy(against: error.code) {
      case .anotherBundle: break
      case .anotherAttempt: next = Due(bytes: bundle)
      case .anotherReading:
        known = nil
        if bundle != before?.bytes { next = before }
      }
      report(error, of: giver)
    }
    due[giver] = next
    // A person may have brought another one meanwhile.
    let kept = desk.waiting(of: giver)
    if next?.bytes != kept, giver == .address || kept == bundle {
      do throws(Failure) { try desk.keep(next?.bytes, of: giver) } catch { report(error, of: giver) }
    }
    // What is reported survives a restart.
    if let news { report(news) }
  }

  private func report(_ failure: Failure, of giver: BundleDesk.Giver?) {
    if problems[giver] != failure.message { LinkOutput.say("castq-link: \(failure.typed.shown.message)") }
    problems[giver] = failure.message
  }

  private func report(_ outcome: BundleDesk.Outcome) {
    switch outcome.deed {
    case .applied: LinkOutput.say("castq-link: bundle \(outcome.revision) is applied")
    case .waiting:
      let time = outcome.until.map(RFC3339.text) ?? "its time"
      LinkOutput.say("castq-link: bundle \(outcome.revision) waits until \(time)")
    case .unchanged, .checked: break
    }
  }
}
