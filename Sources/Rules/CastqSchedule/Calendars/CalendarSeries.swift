import CastProtocol
import CastqText

/// The versions of one event that have one `UID`: the event itself, and those that stand in place of some of its starts.
struct CalendarSeries: Sendable {
  /// By which a start is known: a moment, or a day.
  enum Key: Hashable, Sendable {
    case moment(WallTime)
    case day(LocalDate)
  }

  /// In the order of the file. Several ones of the same version are no versions of each other: their writer gives no `UID` of its own to
  /// each event.
  private(set) var masters: [CalendarFile.Event] = []
  private var replacements: [Key: CalendarFile.Event] = [:]
  /// In the order of the file.
  private var order: [Key] = []
  /// Those that stand in place of all later starts, too, by their starts.
  private var ranges: [(start: WallTime, event: CalendarFile.Event)] = []
  /// How many seconds a range moves starts at most.
  private(set) var furthestMove = 0

  init(_ events: [CalendarFile.Event], _ zones: inout CalendarZones) {
    let isOfDays = events.contains { $0.original == nil && $0.isOfDays }
    for event in events {
      guard let original = event.original else {
        if let last = masters.last, event.version < last.version { continue }
        if let last = masters.last, last.version < event.version { masters = [] }
        masters.append(event)
        continue
      }
      guard let key = zones.key(original, ofDays: isOfDays) else { continue }
      if let other = replacements[key], event.version < other.version { continue }
      if replacements[key] == nil { order.append(key) }
      replacements[key] = event
    }
    for key in order {
      guard let event = replacements[key], event.isFromThen, let start = zones.start(of: key) else {
        continue
      }
      ranges.append((start, event))
      furthestMove = max(furthestMove, abs(zones.move(by: event)))
    }
    ranges.sort { $0.start < $1.start }
  }

  /// Those that stand in place of one start, in the order of the file.
  var others: [(key: Key, event: CalendarFile.Event)] {
    order.compactMap { key in replacements[key].map { (key, $0) } }
  }

  func isReplaced(_ keys: [Key]) -> Bool { keys.contains { replacements[$0] != nil } }

  /// The event that stands in place of a start, since it does so from an earlier one on; nil where none does.
  func range(at moment: WallTime) -> CalendarFile.Event? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].start < moment { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? ranges[low - 1].event : nil
  }
}

extension CalendarZones {
  /// Nil where neither the file nor the zone database has the zone.
  /// - Parameter ofDays: whether the starts are days. Exchange names them by times nevertheless: the day of the clock that is named, and of the
  ///   site for UTC.
  mutating func key(_ time: CalendarTime, ofDays: Bool) -> CalendarSeries.Key? {
    guard time.second != nil, !ofDays || time.zone == .utc else { return .day(time.date) }
    guard let moment = moment(time) else { return nil }
    return ofDays ? .day(clocks.site.localTime(at: moment).date) : .moment(moment)
  }

  /// When a start is, on the site's day where it is one of a day.
  fileprivate func start(of key: CalendarSeries.Key) -> WallTime? {
    switch key {
    case .moment(let moment): moment
    case .day(let day): clocks.site.instant(of: LocalTime(day))
    }
  }

  /// How many seconds by its clock later an event is than the start that it stands in place of.
  mutating func move(by event: CalendarFile.Event) -> Int {
    guard let start = event.start, let original = event.original else { return 0 }
    return start.local.seconds - local(original, as: start).seconds
  }

  /// A time by the clock of another one; as it stands where one of them is a date.
  mutating func local(_ time: CalendarTime, as other: CalendarTime) -> LocalTime {
    guard time.second != nil, other.second != nil else { return time.local.wholeDay(if: other.second == nil) }
    guard time.zone != other.zone, let moment = moment(time), let clock = clock(other.zone) else {
      return time.local
    }
    return clock.rules.localTime(at: moment)
  }
}

extension LocalTime {
  /// The midnight of its day, if that is all that is wanted.
  func wholeDay(if isWanted: Bool) -> LocalTime { isWanted ? LocalTime(date) : self }
}
