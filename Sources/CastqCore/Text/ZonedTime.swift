extension CivilTime {
  /// The moment at which clocks of a zone show this.
  ///
  /// A time that clocks skip is the first moment after the gap; one that they show twice is the first of the two, so that
  /// every time of a day is exactly one moment. Only for valid values.
  /// - Parameter utcOffset: seconds that clocks of the zone are ahead of UTC at a moment.
  package func wallTime(in utcOffset: (WallTime) -> Int) -> WallTime {
    let day = 86_400.0
    let middle = wallTime(utcOffset: 0)
    let offsets = [utcOffset(middle.adding(seconds: -day)), utcOffset(middle.adding(seconds: day))]
    let moments = offsets.map { (moment: wallTime(utcOffset: $0), offset: $0) }
    if let shown = moments.filter({ utcOffset($0.moment) == $0.offset }).map(\.moment).min() { return shown }
    // Clocks skip this time. The change lies between the moments that the offsets before and after it give.
    var (before, after) = (middle.adding(seconds: -day), middle.adding(seconds: day))
    while after.milliseconds - before.milliseconds > 1 {
      let half = WallTime(milliseconds: before.milliseconds + (after.milliseconds - before.milliseconds) / 2)
      if utcOffset(half) == offsets[0] { before = half } else { after = half }
    }
    return after
  }
}
