import CastSender
import CastqFeeding
import CastqStore
import Logging

/// Writes what hooks have to deliver. While rows cannot be written it is kept in memory, and written as soon as they can.
struct HookDesk {
  /// Delivers it.
  let courier: HookCourier
  private let store: HookStore
  private let logger: Logger
  private var rules: [HookRule] = []
  /// In the order in which it happened.
  private var waiting: [HookPosting] = []

  init(_ database: Database, _ logger: Logger, _ time: TimeSource) {
    courier = HookCourier(database, logger, time)
    store = HookStore(database)
    self.logger = logger
  }

  /// Whether something waits for rows that can be written, for the site.
  private var unwritten: [SiteMachine.Event] { waiting.isEmpty ? [] : [.unwritten(.hooks)] }

  /// Follows another configuration.
  mutating func follow(_ rules: [HookRule]) {
    self.rules = rules
    courier.follow(rules)
  }

  /// Something has happened.
  /// - Returns: what the site has to hear of it.
  mutating func post(_ event: HookEvent) -> [SiteMachine.Event] {
    let targets = Set(
      rules.filter { $0.triggers.contains(event.trigger) }.compactMap { HookCourier.digest(of: $0.target) })
    guard !targets.isEmpty else { return unwritten }
    waiting.append(HookPosting(event.json.text, to: targets.sorted(), at: event.at))
    if waiting.count > HookRetry.most {
      report(gone: waiting.count - HookRetry.most)
      waiting.removeFirst(waiting.count - HookRetry.most)
    }
    return write()
  }

  /// Writes what waits.
  /// - Returns: what the site has to hear of it.
  mutating func write() -> [SiteMachine.Event] {
    guard !waiting.isEmpty else { return [] }
    do throws(StoreError) {
      report(gone: try store.add(waiting))
      waiting = []
      courier.wake()
    } catch {
      if error.isOutage {
        let count = waiting.count
        logger.log(
          level: count == 1 ? .error : .debug, "hook cannot be written, it is kept in memory",
          metadata: ["castq.count": "\(count)", "error": "\(error)"])
      } else {
        lose("\(error)")
      }
    }
    return unwritten
  }

  /// The last attempt.
  mutating func close() {
    if !write().isEmpty { lose("the daemon ends") }
  }

  private mutating func lose(_ reason: String) {
    logger.error("hooks lost", metadata: ["castq.count": "\(waiting.count)", "castq.reason": "\(reason)"])
    waiting = []
  }

  private func report(gone count: Int) {
    guard count > 0 else { return }
    logger.error("too many hooks wait, the oldest are given up", metadata: ["castq.count": "\(count)"])
  }
}
