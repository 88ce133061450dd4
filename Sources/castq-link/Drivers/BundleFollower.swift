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
    var known: BundleDesk.Version?
    var waits = false
    var problem: String?
    while !Task.isCancelled {
      var pause = Duration.bounded(seconds: .random(in: 45...75))
      do throws(LinkFailure) {
        let version = try await desk.load(source, limit: SiteBundle.longest, known: known)
        known = version ?? known
        if let known, version != nil || waits {
          waits = false
          let outcome = try await desk.apply(known.bytes, from: source, isDry: false, isRollback: false)
          switch outcome.deed {
          case .applied: LinkOutput.say("castq-link: bundle \(outcome.revision) is applied")
          case .waiting:
            waits = true
            let rest = (outcome.until ?? .now) - .now
            pause = min(pause, .bounded(seconds: max(rest, 0.05)))
            if version != nil {
              LinkOutput.say(
                "castq-link: bundle \(outcome.revision) waits until \(outcome.until.map(RFC3339.text) ?? "its time")"
              )
            }
          case .unchanged, .checked: break
          }
        }
        problem = nil
      } catch {
        // A file that could not be brought may be there in a minute.
        waits = error.code == "media"
        if problem != error.message { LinkOutput.say("castq-link: \(error.shownMessage)") }
        problem = error.message
      }
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
}
