import CastSender
import CastqCore
import CastqMetrics
import Logging

/// Keeps the port of `/metrics`, `/healthz` and `/readyz` as the configuration has it. A port that cannot be had darkens no screen: it is
/// logged.
actor DoorKeeper {
  private var place: WebListen?
  private var door: MetricDoor?
  private let logger: Logger
  private let handler: MetricDoor.Handler

  init(_ logger: Logger, _ handler: @escaping MetricDoor.Handler) {
    (self.logger, self.handler) = (logger, handler)
  }

  /// Listens there and nowhere else; nil is nowhere.
  func keep(_ wanted: WebListen?) async {
    if wanted == place, door != nil || wanted == nil { return }
    let before = door
    (door, place) = (nil, wanted)
    await before?.close()
    guard let wanted else { return }
    do {
      let opened = try await MetricDoor.open(host: wanted.host, port: wanted.port, handler)
      door = opened
      logger.notice("metrics are served", metadata: ["castq.address": "\(wanted.host):\(opened.port)"])
    } catch {
      logger.error(
        "metrics are not served",
        metadata: ["castq.address": "\(wanted.host):\(wanted.port)", "error": "\(error)"])
    }
  }
}
