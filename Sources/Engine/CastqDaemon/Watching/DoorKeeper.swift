import CastGuard
import CastSender
import CastqFeeding
import CastqMetrics
import Logging

/// Keeps the port of `/metrics`, `/healthz` and `/readyz` as the configuration has it. A port that cannot be had darkens no screen: it is
/// logged.
///
/// Wishes are fulfilled one after the other, in the order in which they were made; only the newest one counts.
actor DoorKeeper {
  private var kept: MetricRules?
  private var door: MetricDoor?
  private let logger: Logger
  private let connections: Int
  private let handler: MetricDoor.Handler
  private let (wishes, wisher) = AsyncStream.makeStream(
    of: MetricRules.self, bufferingPolicy: .bufferingNewest(1))

  init(_ logger: Logger, connections: Int, _ handler: @escaping MetricDoor.Handler) {
    (self.logger, self.connections, self.handler) = (logger, connections, handler)
  }

  /// Listens where the rules say and nowhere else. Safe from anywhere.
  nonisolated func follow(_ rules: MetricRules) { wisher.yield(rules) }

  /// Listens until the task is cancelled.
  func run() async {
    for await rules in wishes { await keep(rules) }
    await door?.close()
    door = nil
  }

  /// Listens before others are told that the daemon is ready. Not beside `run()`.
  func keep(_ rules: MetricRules) async {
    if rules == kept, door != nil || rules.listen == nil { return }
    let before = door
    (door, kept) = (nil, rules)
    await before?.close()
    guard let wanted = rules.listen else { return }
    do {
      let hosts = AskedHosts(listeningAt: wanted.host, names: rules.hosts)
      let opened = try await MetricDoor.open(
        host: wanted.host, port: wanted.port, hosts: hosts, connections: connections, handler)
      door = opened
      logger.notice("metrics are served", metadata: ["castq.address": "\(wanted.host):\(opened.port)"])
    } catch {
      logger.error(
        "metrics are not served",
        metadata: ["castq.address": "\(wanted.host):\(wanted.port)", "error": "\(error)"])
    }
  }
}
