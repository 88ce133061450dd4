import CastSender
import CastqLink
import CastqMQTT

/// Carries out a `KeptSweep`.
struct BrokerSweep: Sendable {
  private let client: MQTTClient
  private let topics: LiveTopics
  private let discovery: HomeAssistant?
  private let time: TimeSource

  /// How long the broker may take.
  private static let patience = Duration.seconds(10)
  /// How long nothing may come back before the broker is believed: a last will may be late.
  private static let quiet = Duration.seconds(1)

  /// - Parameter discovery: the first level of the topics of discovery; nil for none.
  init(_ client: MQTTClient, site: String, discovery: String?, time: TimeSource = .continuous) {
    self.client = client
    topics = LiveTopics(site: site)
    self.discovery = discovery.map { HomeAssistant(LiveTopics(site: site), prefix: $0) }
    self.time = time
  }

  /// Runs to its end, and closes the client.
  /// - Returns: why the broker may still keep something; nil when it does not.
  func run() async -> String? {
    let work = Task { await sweep() }
    let timer = Task {
      if (try? await time.sleep(Self.patience)) != nil { work.cancel() }
    }
    let reason = await work.value
    timer.cancel()
    client.close()
    return reason
  }

  private func sweep() async -> String? {
    var sweep = KeptSweep(topics, discovery: discovery)
    var reason = "it does not answer"
    var isClean = false
    var quiet: Task<Void, Never>?
    defer { quiet?.cancel() }
    for await event in client.events {
      switch event {
      case .connected:
        sweep = KeptSweep(topics, discovery: discovery)
        isClean = false
        for filter in sweep.filters { client.subscribe(filter, hearsItself: false) }
        client.subscribe(sweep.marker)
        client.publish("", to: sweep.marker, isRetained: true)
      case .disconnected(let words), .refused(let words): reason = words
      case .pushedOff: reason = "another client seems to have the name \(client.name)"
      case .message(let topic, let payload, _):
        let gone = sweep.receive(topic, isEmpty: payload.isEmpty)
        for topic in gone ?? [] { client.publish("", to: topic, isRetained: true) }
        if gone?.isEmpty != true { quiet?.cancel() }
        isClean = gone.map { isClean && $0.isEmpty } ?? true
        guard gone == nil else { continue }
        quiet = Task { [client, time] in
          if (try? await time.sleep(Self.quiet)) != nil { client.close() }
        }
      }
    }
    return isClean ? nil : reason
  }
}
