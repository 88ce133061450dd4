import CastqSchedule
import CastqText

/// Quiet hours: the parts of a day alone, or with what is seen in them.
extension ConfigurationReader {
  private enum QuietKey: String, CaseIterable { case times, show }

  /// Reads `["22:00-07:00"]`, or `{times: [...], show: backdrop}`; what is left out stays as it is.
  mutating func readQuietHours(_ node: DocumentNode, into rules: inout DeviceRules) {
    guard node.mapping != nil else {
      rules.quietHours = hours(node) ?? rules.quietHours
      return
    }
    for (key, value) in fields(node, of: "`quiet_hours`", as: QuietKey.self) {
      switch key {
      case .times: rules.quietHours = hours(value) ?? rules.quietHours
      case .show: rules.quietShow = quietShow(value) ?? rules.quietShow
      }
    }
  }

  private mutating func quietShow(_ node: DocumentNode) -> QuietShow? {
    if let show = node.string.flatMap(QuietShow.init) { return show }
    report(
      node.place,
      TextError(
        "\(node.shown) is nothing that quiet hours can show",
        hint: "write \(QuietShow.allCases.map(\.rawValue).joined(separator: " or "))"))
    return nil
  }
}
