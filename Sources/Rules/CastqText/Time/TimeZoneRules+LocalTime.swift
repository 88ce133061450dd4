extension TimeZoneRules {
  /// The moment of a local time: the first one at which the clocks of the zone show that time or a later one.
  ///
  /// So a time that clocks skip is the first moment after the gap, and a time that occurs twice is the first of the two. Earlier
  /// local times never map to later moments: what adjoins by the clock adjoins in time.
  package func instant(of local: LocalTime) -> WallTime {
    let seconds = local.seconds
    let shown = Int64(seconds)
    // No zone is further from UTC than 26 hours (`init(file:)`), so the moment is not before this one.
    var start = shown - 26 * 3600
    while true {
      let span = span(at: start)
      let moment = max(start, shown - Int64(span.offset))
      guard let end = span.end, moment >= end else { return WallTime(milliseconds: moment * 1000) }
      start = end
    }
  }

  /// What clocks show at a moment; fractions of a second are cut off.
  package func localTime(at moment: WallTime) -> LocalTime {
    let seconds = moment.wholeSeconds
    return LocalTime(seconds: Int(seconds) + span(at: seconds).offset)
  }

  /// The earliest local time whose moment is not before this one.
  package func firstLocalTime(from moment: WallTime) -> LocalTime {
    let seconds = moment.wholeSeconds
    let wanted = seconds * 1000 < moment.milliseconds ? seconds + 1 : seconds
    func isEarly(_ local: Int) -> Bool { instant(of: LocalTime(seconds: local)).wholeSeconds < wanted }
    let shown = Int(wanted) + span(at: wanted).offset
    if !isEarly(shown), isEarly(shown - 1) { return LocalTime(seconds: shown) }
    // Within a repeated hour, and behind a gap, some times that clocks show or skip have an earlier moment, or the same.
    var (low, high) = (shown - 2 * 86_400, shown + 2 * 86_400)
    while low < high {
      let middle = low + (high - low) / 2
      if isEarly(middle) { low = middle + 1 } else { high = middle }
    }
    return LocalTime(seconds: low)
  }
}

extension WallTime {
  /// Seconds since 1970, without the fraction; also before 1970 not after the moment.
  package var wholeSeconds: Int64 {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return rest < 0 ? seconds - 1 : seconds
  }
}
