extension ConfigurationReader {
  /// The rules of a zone, or an inner nil for the computer's own zone; nil, and an issue, for an unknown zone.
  mutating func zone(_ node: DocumentNode) -> TimeZoneRules?? {
    if node.string == "local" { return .some(nil) }
    if let name = node.string, let rules = zone(name) { return rules }
    reportZone(node)
    return nil
  }

  /// The name of a zone that is known; nil for the computer's own zone, and for an unknown one, which is an issue.
  mutating func siteZone(_ node: DocumentNode) -> ZoneName? {
    guard let name = node.string, name != "local" else {
      if node.string == nil { reportZone(node) }
      return nil
    }
    guard zone(name) != nil, let zone = try? ZoneName(name) else {
      reportZone(node)
      return nil
    }
    return zone
  }

  private mutating func reportZone(_ node: DocumentNode) {
    report(
      node.place,
      TextError(
        "\(shown(node)) is not a known time zone",
        hint:
          "write one such as Europe/Berlin, or local for that of this computer; the package tzdata has them"))
  }
}
