import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText

/// Reads timelines: what was on the screens of devices.
struct TimelineReading {
  private let look: ScheduleLook
  private let now: WallTime
  private var store: TimelineStore { TimelineStore(look.workspace.database) }

  init(_ look: ScheduleLook, now: WallTime) {
    self.look = look
    self.now = now
  }

  /// What plans have of the part of a range that has passed, by the devices' names in rules.
  func segments(
    of devices: [ScheduleDevice], in range: Range<WallTime>
  ) throws(Failure) -> [String: [PastSegment]] {
    let range = range.lowerBound..<max(range.lowerBound, min(range.upperBound, now))
    guard !range.isEmpty else { return [:] }
    var lives: [DeviceID: Life] = [:]
    for device in devices {
      guard let id = DeviceID(ruleName: device.id) else { continue }
      let facts = try facts(of: device, id, in: range)
      var life = Life(sweep: TimelineSweep(facts, in: range))
      let plays = try look.workspace.ask { (_) throws(StoreError) in
        try store.playsBefore(range.lowerBound, on: id)
      }
      for play in plays { life.add(play) }
      lives[id] = life
    }
    let ids = Set(lives.keys)
    try look.workspace.ask { (_) throws(StoreError) in
      try store.readPlays(in: range, of: ids) { lives[$0]?.add($1) }
    }
    var segments: [String: [PastSegment]] = [:]
    for (id, var life) in lives { segments[id.ruleName] = life.finish() }
    return segments
  }

  /// A timeline that is joined while it is read: of a year of plays no more than the segments is held.
  private struct Life {
    var sweep: TimelineSweep
    var joined = PastSegments()

    mutating func add(_ play: Timeline.Play) {
      sweep.add(play)
      for stretch in sweep.takeFinished() { joined.add(stretch) }
    }

    mutating func finish() -> [PastSegment] {
      for stretch in sweep.finish() { joined.add(stretch) }
      return joined.finish()
    }
  }

  /// What was on the screen of a device at a moment that has passed.
  struct Moment {
    let stretch: Timeline.Stretch
    let change: PlannedChange?
  }

  /// Nil for a device without a row.
  func moment(_ moment: WallTime, on device: ScheduleDevice) throws(Failure) -> Moment? {
    guard let id = DeviceID(ruleName: device.id) else { return nil }
    let after = moment.adding(seconds: 0.001)
    let (range, plays) = try look.workspace.ask { (_) throws(StoreError) in
      let range = Timeline.neighbourhood(
        of: moment, last: try store.started(on: id, before: after),
        next: try store.started(on: id, from: after), now: now)
      var plays = try store.playsBefore(after, on: id)
      if after < range.upperBound {
        try store.readPlays(in: after..<range.upperBound, of: [id]) { plays.append($1) }
      }
      return (range, plays)
    }
    // What was decided before a change says what ended.
    let start = min(range.lowerBound, moment.adding(seconds: -3 * PlannedChange.length))
    let facts = try facts(of: device, id, in: start..<range.upperBound)
    let timeline = Timeline(facts, plays: plays, in: range)
    guard let stretch = timeline.stretch(at: moment) else { return nil }
    return Moment(stretch: stretch, change: timeline.change(at: moment, facts))
  }

  private func facts(
    of device: ScheduleDevice, _ id: DeviceID, in range: Range<WallTime>
  ) throws(Failure) -> TimelineFacts {
    let isFed = ScreenNow.isFed(id, look.workspace.database)
    var facts = try look.workspace.ask { (_) throws(StoreError) in
      try store.facts(of: id, in: range, now: now, isFed: isFed)
    }
    (facts.stoppedAt, facts.darkHours) = (device.stoppedAt, device.darkHours)
    return facts
  }
}
