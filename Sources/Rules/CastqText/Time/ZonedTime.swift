extension CivilTime {
  /// The moment of this local time in a zone.
  ///
  /// A time that clocks skip is the first moment after the gap; a time that occurs twice is the first of the two, so every time
  /// of a day is exactly one moment. Only for valid values.
  /// - Parameter utcOffset: seconds by which the zone is ahead of UTC at a moment.
  package func wallTime(in utcOffset: (WallTime) -> Int) -> WallTime {
    let day = 86_400.0
    let middle = wallTime(utcOffset: 0)
    let offsets = [utcOffset(middle.adding(seconds: -day)), utcOffset(middle.adding(seconds: day))]
    let moments = offsets.map { (moment: wallTime(utcOffset: $0), offset: $0) }
    if let shown = moments.filter({ utcOffset($0.moment) == $0.offset }).map(\.moment).min() { return shown }
    // Clocks skip this time. The change is between the moments with the offsets before and after it.
    var (before, after) = (middle.adding(seconds: -day), middle.adding(seconds: day))
    while after.milliseconds - before.milliseconds > 1 {
      let half = WallTime(milliseconds: before.milliseconds + (after.milliseconds - before.milliseconds) / 2)
      if utcOffset(half) == offsets[0] { before = half } else { after = half }
    }
    return after
  }
}
