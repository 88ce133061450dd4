/// Has a broker forget what it keeps of a site, whatever devices that names.
///
/// A broker answers in order. What it keeps comes before the echo of what follows the subscriptions;
/// the second echo comes when all has been removed that came before the first. A last will of the connection before may come after
/// that: what comes back is removed again.
package struct KeptSweep: Sendable {
  private let topics: LiveTopics
  private let discovery: HomeAssistant?
  private var devices: Set<String> = []
  private var echoes = 0

  /// - Parameter discovery: nil where nothing is announced to Home Assistant.
  package init(_ topics: LiveTopics, discovery: HomeAssistant?) {
    self.topics = topics
    self.discovery = discovery
  }

  /// The filters of what is kept of devices.
  package var filters: [String] { topics.keptOfAll }

  /// To be subscribed to after the filters, with what this client sends itself, and then to be emptied.
  package var marker: String { topics.availability }

  /// - Returns: the topics that are to be emptied, in this order; nil when the broker has forgotten all.
  package mutating func receive(_ topic: String, isEmpty: Bool) -> [String]? {
    if topic == marker {
      guard isEmpty else { return echoes == 0 ? [] : [marker] }
      echoes += 1
      return echoes == 1 ? [marker] : nil
    }
    guard !isEmpty, let device = topics.device(ofKept: topic), devices.insert(device).inserted else {
      return []
    }
    return topics.kept(of: device) + (discovery?.announcements(of: device).map(\.topic) ?? [])
  }
}
