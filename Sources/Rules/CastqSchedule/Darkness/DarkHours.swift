import CastProtocol
package import CastqText

/// The parts of each day in which a device shows nothing by its configuration: quiet hours without a volume.
package struct DarkHours: Sendable, Hashable {
  private let hours: [QuietHours]
  private let zone: TimeZoneRules
  /// Seconds of the day at which it may become dark, or end to be; ascending, none twice, at least one.
  private let edges: [Int64]

  /// Without an end.
  package static let always = DarkHours([.wholeDay], TimeZoneRules())

  /// - Parameter hours: at least one.
  package init(_ hours: [QuietHours], _ zone: TimeZoneRules) {
    self.hours = hours
    self.zone = zone
    edges = Set(hours.flatMap { [$0.start, $0.end % 1440] }).sorted().map { Int64($0) * 60 }
  }

  /// Whether it is dark at a moment.
  package func contains(_ moment: WallTime) -> Bool {
    let time = CivilTime(moment, utcOffset: zone.utcOffset(at: moment))
    return hours.contains { $0.contains(time) }
  }

  /// The first moment after another one at which it may become dark, or end to be. Clocks that are changed make one, too.
  package func edge(after moment: WallTime) -> WallTime {
    let seconds = moment.wholeSeconds
    let span = zone.span(at: seconds)
    let day: Int64 = 86_400
    let ofDay = ((seconds + Int64(span.offset)) % day + day) % day
    let edge = edges.first { $0 > ofDay } ?? day + (edges.first ?? 0)
    let next = seconds - ofDay + edge
    return WallTime(milliseconds: min(next, span.end ?? next) * 1000)
  }

  /// When the dark hours around a moment are over; nil where they have no end.
  package func end(after moment: WallTime) -> WallTime? {
    var end = moment
    // Two days, with two changes of the clocks: what is dark for so long stays so.
    for _ in 0..<(edges.count * 2 + 2) {
      end = edge(after: end)
      if !contains(end) { return end }
    }
    return nil
  }
}
