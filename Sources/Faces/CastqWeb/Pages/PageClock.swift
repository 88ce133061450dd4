import CastProtocol
import CastqText

/// Times and lengths as pages write them. A page says its zone once, at its foot; a time of another offset says its own.
extension PageContext {
  /// A moment of a document as an element: `10:30` today, `Mon 14 Dec 10:30` on other days.
  func time(_ text: String?, withSeconds: Bool = false) -> HTML {
    guard let text, let moment = try? RFC3339.parse(text) else { return HTML.span([.class("faint")], "–") }
    return HTML.element(
      "time", [HTML.Attribute("datetime", text)], [HTML(words(moment, withSeconds: withSeconds))])
  }

  /// A moment in words, with its offset where that is another one than now: `Sun 25 Oct 02:30 UTC+2`.
  func words(_ moment: WallTime, withSeconds: Bool = false) -> String {
    let local = zone.localTime(at: moment)
    let day = local.date == zone.localTime(at: now).date ? "" : "\(Self.dayText(local.date)) "
    let offset = zone.utcOffset(at: moment) == zone.utcOffset(at: now) ? "" : " \(offsetText(at: moment))"
    return "\(day)\(clock(moment, withSeconds: withSeconds))\(offset)"
  }

  /// The time of day, without its zone: for columns whose head has it.
  func clock(_ moment: WallTime, withSeconds: Bool = false) -> String {
    let second = zone.localTime(at: moment).secondOfDay
    let text = "\((second / 3600).digits(2)):\((second / 60 % 60).digits(2))"
    return withSeconds ? "\(text):\((second % 60).digits(2))" : text
  }

  /// The offset of the zone, such as `UTC+5:45`.
  func offsetText(at moment: WallTime) -> String {
    let minutes = zone.utcOffset(at: moment) / 60
    guard minutes != 0 else { return "UTC" }
    let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
    return "UTC\(minutes < 0 ? "−" : "+")\(hours)\(rest == 0 ? "" : ":\(rest < 10 ? "0" : "")\(rest)")"
  }

  /// `Mon 14 Dec`.
  static func dayText(_ date: LocalDate) -> String {
    let civil = CivilTime(daysSinceEpoch: date.number)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let weekday = days[((date.number % 7) + 7) % 7]
    return
      "\(weekday) \(civil.day) \(months.indices.contains(civil.month - 1) ? months[civil.month - 1] : "?")"
  }
}

/// Lengths of time.
enum PageLength {
  /// `0:07`, `12:34`, `1:02:03`; `–:––` for what is unknown.
  static func clock(_ seconds: Double?) -> String {
    guard let seconds, seconds.isFinite else { return "–:––" }
    return ClockText.format(seconds)
  }
}
