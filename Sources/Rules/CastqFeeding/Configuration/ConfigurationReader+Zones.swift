import CastqText

extension ConfigurationReader {
  /// The rules of a zone, or an inner nil for the computer's own zone; nil, and an issue, for an unknown zone.
  mutating func zone(_ node: DocumentNode) -> TimeZoneRules?? {
    guard let name = name(node) else { return nil }
    return name == "local" ? .some(nil) : rules(name, node)
  }

  /// The name of a zone that is known; nil for the computer's own zone, and for an unknown one, which is an issue.
  mutating func siteZone(_ node: DocumentNode) -> ZoneName? {
    guard let name = name(node), name != "local", rules(name, node) != nil else { return nil }
    return try? ZoneName(name)
  }

  private mutating func name(_ node: DocumentNode) -> String? {
    if let name = node.string { return name }
    report(
      node.place,
      TextError(
        "\(node.shown) is no time zone",
        hint: "write one such as Europe/Berlin, or local for that of this computer"))
    return nil
  }

  private mutating func rules(_ name: String, _ node: DocumentNode) -> TimeZoneRules? {
    do throws(TextError) { return try zone(name) } catch {
      report(node.place, error)
      return nil
    }
  }

  /// What to write for one of the two keys of zones where the other one belongs; nil for other keys.
  static func misplacedZone(_ key: String, _ names: [String]) -> String? {
    switch key {
    case "time_zone" where names.contains("timezone"):
      "write `timezone`: all times of the site go by it, quiet hours too"
    case "timezone" where names.contains("time_zone"):
      "write `time_zone` for quiet hours by other clocks than the site's, which `timezone` at the top of the file sets"
    default: nil
    }
  }
}
