import CastqText

/// The topics of a site: `castq/SITE/DEVICE/state` and their like.
package struct LiveTopics: Sendable, Hashable {
  package let site: String

  /// - Parameter site: a name that `LinkRules.isSite` accepts.
  package init(site: String) { self.site = site }

  private var root: String { "castq/\(site)" }
  /// All topics of the site, as an access list names them.
  package var all: String { "\(root)/#" }

  /// Whether the link of the site is there: `online`, or `offline` by the last will.
  package var availability: String { "\(root)/availability" }
  /// Whether a device answers.
  package func availability(of device: String) -> String { "\(root)/\(Self.level(device))/availability" }
  package func state(of device: String) -> String { "\(root)/\(Self.level(device))/state" }
  /// What the broker keeps of a device, beside its announcements.
  package func kept(of device: String) -> [String] { [state(of: device), availability(of: device)] }
  /// The kept topics of whatever devices the broker knows of this site.
  package var keptOfAll: [String] { ["\(root)/+/state", "\(root)/+/availability"] }

  /// The device of which a topic is kept; nil for other topics.
  package func device(ofKept topic: String) -> String? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 4, levels[0] == "castq", levels[1] == site,
      ["state", "availability"].contains(levels[3])
    else { return nil }
    return Self.name(ofLevel: String(levels[2]))
  }

  package func command(of device: String) -> String { "\(root)/\(Self.level(device))/command" }
  package func reply(of device: String) -> String { "\(root)/\(Self.level(device))/reply" }
  /// Where a new bundle is announced: to this site, and to all sites.
  package var bundles: [String] { ["\(root)/bundle", "castq/bundle"] }
  /// Commands for all devices of the site.
  package var commands: String { "\(root)/+/command" }

  /// The device level of a topic for commands; nil for other topics.
  package func device(ofCommand topic: String) -> String? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 4, levels[0] == "castq", levels[1] == site, levels[3] == "command" else {
      return nil
    }
    return String(levels[2])
  }

  /// A name as one level of a topic: what has a meaning there is percent-encoded.
  package static func level(_ name: String) -> String {
    var level = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "/", "+", "#", "%", "$": level += encoded(UInt8(ascii: scalar))
      case _ where scalar.value < 0x20: level += encoded(UInt8(truncatingIfNeeded: scalar.value))
      case _ where scalar.value == 0x7F: level += "%7F"
      default: level.unicodeScalars.append(scalar)
      }
    }
    return level
  }

  /// The name that has become a level of a topic; nil for what `level` writes of no name.
  static func name(ofLevel level: String) -> String? {
    guard let name = PercentEncoding.decoding(level), !name.isEmpty else { return nil }
    return Self.level(name) == level ? name : nil
  }

  private static func encoded(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
  }

  /// Whether a reply may go to a topic: one level at least, no wildcard, and nobody's command or state.
  package static func canReply(to topic: String) -> Bool {
    let isPlain =
      (1...500).contains(topic.utf8.count) && !topic.hasPrefix("$")
      && topic.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "+" && $0 != "#" }
    guard isPlain else { return false }
    let last = topic.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return !(topic.hasPrefix("castq/") && last != "reply")
      && !["command", "config", "set"].contains(String(last))
  }
}
