package import CastqFeeding

/// What the first column of a report is called.
extension ReportKey {
  /// The key and the title of the column, and for media that of their titles.
  package var columns: [(String, String)] {
    switch self {
    case .media: [("media", "MEDIA"), ("title", "TITLE")]
    case .device, .day, .hour, .rule: [(rawValue, rawValue.uppercased())]
    }
  }

  package func cells(_ row: String, title: String?) -> [ReportDocument.Cell] {
    switch self {
    case .media: [.text(row), .text(title)]
    case .rule: [.text(row.isEmpty ? nil : row)]
    case .device, .day, .hour: [.text(row)]
    }
  }

  /// The order of two rows: days and hours by time, everything else by name.
  func isOrdered(_ left: String, _ right: String) -> Bool {
    guard self == .hour else { return left < right }
    // Of an hour that occurs twice, the one further ahead of UTC is the first.
    let (leftHour, rightHour) = (left.prefix(16), right.prefix(16))
    return leftHour == rightHour ? Self.offset(left) > Self.offset(right) : leftHour < rightHour
  }

  /// The minutes of `+01:00` at the end of an hour.
  private static func offset(_ hour: String) -> Int {
    let parts = hour.dropFirst(17).split(separator: ":").compactMap { Int($0) }
    let minutes = (parts.first ?? 0) * 60 + (parts.last ?? 0)
    return hour.dropFirst(16).hasPrefix("-") ? -minutes : minutes
  }
}
