import CastGuard
import CastSender
import CastqFeeding
import CastqMetrics
import Logging

/// Keeps the port of `/metrics`, `/healthz` and `/readyz` as the configuration has it. A port that cannot be had darkens no screen: it is
/// logged once, and tried again until it can be had.
///
/// Wishes are fulfilled one after the other, in the order in which they were made; only the newest one counts.
actor DoorKeeper {
  /// How long a port that cannot be had is left alone.
  static let patience = Duration.seconds(30)

  private var kept: MetricRules?
  private var door: MetricDoor?
  /// Waits until a port that could not be had is tried again.
  private var again: Task<Void, Never>?
  private let logger: Logger
  private let connections: Int
  private let time: TimeSource
  private let handler: MetricDoor.Handler
  private let (wishes, wisher) = AsyncStream.makeStream(
    of: MetricRules.self, bufferingPolicy: .bufferingNewest(1))

  init(_ logger: Logger, connections: Int, time: TimeSource, _ handler: @escaping MetricDoor.Handler) {
    (self.logger, self.connections, self.time, self.handler) = (logger, connections, time, handler)
  }

  /// Listens where the rules say and nowhere else. Safe from anywhere.
  nonisolated func follow(_ rules: MetricRules) { wisher.yield(rules) }

  /// Listens until the task is cancelled.
  func run() async {
    for await rules in wishes { await keep(rules) }
    again?.cancel()
    await again?.value
    await door?.close()
    door = nil
  }

  /// Listens before others are told that the daemon is ready. Not beside `run()`.
  func keep(_ rules: MetricRules) async {
    if rules == kept, door != nil || rules.listen == nil { return }
    again?.cancel()
    await again?.value
    let before = door
    (door, kept) = (nil, rules)
    await before?.close()
    guard let place = rules.listen else { return }
    do { try await open(place, rules.hosts) } catch {
      logger.error(
        "metrics are not served", metadata: ["castq.address": "\(place.text)", "error": "\(error)"])
      again = Task {
        while !Task.isCancelled {
          do {
            try await time.sleep(Self.patience)
            return try await open(place, rules.hosts)
          } catch {}  // It was named, and is tried again.
        }
      }
    }
  }

  private func open(_ place: WebListen, _ names: [String]) async throws {
    let opened = try await MetricDoor.open(
      host: place.host, port: place.port, hosts: AskedHosts(listeningAt: place.host, names: names),
      connections: connections, handler)
    door = opened
    logger.notice("metrics are served", metadata: ["castq.address": "\(place.host):\(opened.port)"])
  }
}
