import CastProtocol
import CastSender
import CastqCore
import CastqLink

/// Asks for the site's bundle about once a minute and when one is announced, by its ETag, and applies each new one at its time.
struct BundleFollower: Sendable {
  private let desk: BundleDesk
  private let source: String
  private let time: TimeSource
  private let wakes: AsyncStream<Void>
  private let send: AsyncStream<Void>.Continuation

  /// The shortest time between two questions, however often bundles are announced.
  private static let shortestPause = Duration.seconds(1)
  /// How long a bundle may take to come; and while another one waits for its time.
  private static let (patience, shortPatience) = (Duration.seconds(300), Duration.seconds(30))

  init(_ desk: BundleDesk, source: String, time: TimeSource = .continuous) {
    self.desk = desk
    self.source = source
    self.time = time
    (wakes, send) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Asks soon. Safe from anywhere.
  func look() { send.yield() }

  /// Runs until its task is cancelled.
  func run() async {
    var wakes = wakes.makeAsyncIterator()
    // What was read last, and what is here and not applied yet: that is applied at its time whatever becomes of the link.
    var known: BundleDesk.Version?
    var due = desk.waiting()
    var moment: WallTime?
    var problem: String?
    while !Task.isCancelled {
      var pause = Duration.bounded(seconds: .random(in: 45...75))
      var failure: LinkFailure?
      var bundle = due
      do throws(LinkFailure) {
        // A question that is not answered must not make late what is here.
        if moment.map({ $0 > .now }) ?? true,
          let version = try await desk.load(
            source, limit: SiteBundle.longest, known: known,
            within: due == nil ? Self.patience : Self.shortPatience)
        {
          known = version
          bundle = version.bytes
        }
      } catch { failure = error }
      if let bundle {
        let before = due
        var news: BundleDesk.Outcome?
        do throws(LinkFailure) {
          let outcome = try await desk.apply(bundle, from: source, isDry: false, isRollback: false)
          due = outcome.deed == .waiting ? bundle : nil
          moment = outcome.until
          if let rest = outcome.until.map({ $0 - .now }) {
            pause = min(pause, .bounded(seconds: max(rest, 0.05)))
          }
          if bundle != before || outcome.deed == .applied { news = outcome }
        } catch {
          failure = error
          moment = nil
          switch BundleRemedy(against: error.code) {
          case .anotherBundle: due = nil
          case .anotherAttempt: due = bundle
          case .anotherReading: known = nil
          }
        }
        if due != before {
          do throws(LinkFailure) { try desk.keep(due) } catch { failure = error }
        }
        // What is reported survives a restart.
        if let news { report(news) }
      }
      if let failure, problem != failure.message { LinkOutput.say("castq-link: \(failure.shownMessage)") }
      problem = failure?.message
      guard (try? await time.sleep(min(pause, Self.shortestPause))) != nil else { return }
      let rest = pause - Self.shortestPause
      guard rest > .zero else { continue }
      let timer = Task { [time, send] in
        if (try? await time.sleep(rest)) != nil { send.yield() }
      }
      _ = await wakes.next()
      timer.cancel()
    }
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
