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
    var joined: [DeviceID: PastSegments] = [:]
    try readStretches(of: devices, in: range) { joined[$0, default: PastSegments()].add($1) }
    var segments: [String: [PastSegment]] = [:]
    for (id, var one) in joined { segments[id.ruleName] = one.finish() }
    return segments
  }

  /// Reads the stretches of devices, each in its order, while plays are read: of a year of plays no more than the last stretch is held.
  private func readStretches(
    of devices: [ScheduleDevice], in range: Range<WallTime>, _ receive: (DeviceID, Timeline.Stretch) -> Void
  ) throws(Failure) {
    let range = range.lowerBound..<max(range.lowerBound, min(range.upperBound, now))
    guard !range.isEmpty else { return }
    var sweeps: [DeviceID: TimelineSweep] = [:]
    func add(_ play: Timeline.Play, _ id: DeviceID) {
      sweeps[id]?.add(play)
      for stretch in sweeps[id]?.takeFinished() ?? [] { receive(id, stretch) }
    }
    for device in devices {
      guard let id = DeviceID(ruleName: device.id) else { continue }
      sweeps[id] = TimelineSweep(try facts(of: device, id, in: range), in: range)
      let plays = try look.workspace.ask { (_) throws(StoreError) in
        try store.playsBefore(range.lowerBound, on: id)
      }
      for play in plays { add(play, id) }
    }
    let ids = Set(sweeps.keys)
    try look.workspace.ask { (_) throws(StoreError) in
      try store.readPlays(in: range, of: ids) { add($1, $0) }
    }
    for (id, var sweep) in sweeps { for stretch in sweep.finish() { receive(id, stretch) } }
  }

  /// How one screen was reached in a range that has passed.
  struct Air {
    let device: ScheduleDevice
    let id: DeviceID
    var totals = AirTotals()
    fileprivate var absences: [Timeline.Stretch] = []

    /// What would have been on the screen when an outage began; nil where nothing was due.
    func due(_ outage: Range<WallTime>) -> Timeline.Due? {
      absences.first { $0.range.overlaps(outage) }?.due
    }
  }

  /// How devices were reached; those of which nothing is known in the range are left out.
  func air(of devices: [ScheduleDevice], in range: Range<WallTime>) throws(Failure) -> [Air] {
    var screens: [DeviceID: Air] = [:]
    for device in devices {
      if let id = DeviceID(ruleName: device.id) { screens[id] = Air(device: device, id: id) }
    }
    try readStretches(of: devices, in: range) { id, stretch in
      screens[id]?.totals.add(stretch)
      if stretch.reason == .unreachable { screens[id]?.absences.append(stretch) }
    }
    return screens.values.filter { $0.totals.known > 0 }
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
