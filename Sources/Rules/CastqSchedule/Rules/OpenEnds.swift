package import CastqText

/// A rule that is always on has its ends where the calendar has its own, so that the sweep needs no case for it. No person wrote these
/// dates, and nobody is shown them.
extension WallTime {
  /// Nil in the first and in the last year of the calendar: there, something has no beginning or no end.
  package var dated: WallTime? { Self.datedMilliseconds.contains(milliseconds) ? self : nil }

  /// The years 1 to 9998.
  private static let datedMilliseconds: Range<Int64> = -62_135_596_800_000..<253_370_764_800_000
}

extension LocalTime {
  /// Nil in the first and in the last year of the calendar.
  package var dated: LocalTime? { (1...9998).contains(date.civil.year) ? self : nil }

  /// The name of an occurrence as rows have it; nil where the rule is always on.
  package static func dated(_ text: String) -> String? {
    guard let time = try? LocalTime(text) else { return text }
    return time.dated.map { _ in text }
  }
}
