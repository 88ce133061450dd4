import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText

/// When and why an entry of a queue plays, or has played.
struct WhyEntry {
  private let look: ScheduleLook
  private let zone: NamedZone

  /// Where the next time of a programme is looked for, in seconds: two weeks.
  private static let horizon = 14.0 * 86_400

  init(_ look: ScheduleLook, _ zone: NamedZone) {
    self.look = look
    self.zone = zone
  }

  func reply(_ id: EntryID) throws(Failure) -> WhyReply {
    let store = ScheduleStore(look.workspace.database)
    let (entry, place, plays) = try look.workspace.ask { (here) throws(StoreError) in
      (try here.queue.entry(id), try store.place(of: id), try store.plays(of: id, limit: 20))
    }
    guard let entry, let place else { return try gone(id, plays) }
    let device =
      look.schedule.devices.first { $0.id == place.device.ruleName }
      ?? ScheduleDevice(id: place.device.ruleName)
    let next = next(of: place.programme, on: device)
    let reason = reason(entry, place.programme, next, on: device)
    let words = PlanWording(look.schedule.book, zone: zone.rules)
    return WhyReply(
      json: [
        "device": .string(device.name), "entry": .integer(id.rawValue), "title": .string(entry.title),
        "state": .string(entry.state.rawValue), "programme": JSONOutput.programme(place.programme),
        "reason": .string(reason),
        "next": next.map { PlanDocument.json($0, on: device, words) } ?? .null,
        "plays": .array(plays.map { WhyPlay.json($0, nil) }),
      ],
      lines: [
        "\(entry.title) (entry \(id.rawValue)) on \(device.name): \(entry.state.rawValue)", "  \(reason)",
      ] + lines(plays))
  }

  /// The plays of an entry whose row is gone outlive it.
  private func gone(_ id: EntryID, _ plays: [StoredPlay]) throws(Failure) -> WhyReply {
    guard let last = plays.last else { throw Failure(StoreError.unknownEntry("\(id.rawValue)")) }
    let reason = "it is not in a queue any more"
    return WhyReply(
      json: [
        "device": .string(last.device), "entry": .integer(id.rawValue), "title": .string(last.title),
        "state": .null, "programme": .null, "reason": .string(reason), "next": .null,
        "plays": .array(plays.map { WhyPlay.json($0, nil) }),
      ],
      lines: ["\(last.title) (entry \(id.rawValue)) on \(last.device): gone", "  \(reason)"] + lines(plays))
  }

  private func lines(_ plays: [StoredPlay]) -> [String] {
    plays.map { play in
      "  play \(play.id): \(WhyPlay(look, zone).times(play))  \(WhyPlay.reason(play, zone))"
    }
  }

  /// The first stretch from now on in which the queue of a programme is on; for nil that is the base.
  private func next(of programme: String?, on device: ScheduleDevice) -> PlanSegment? {
    let now = WallTime.now
    var planner = Planner(look.schedule.book, range: now..<now.adding(seconds: Self.horizon))
    // A stop lasts until somebody ends it, and quiet hours end by themselves.
    return planner.plan(for: device).segments.filter { $0.silence != .quietHours }.first { segment in
      if let programme { segment.programme == programme } else { segment.kind == .base }
    }
  }

  private func reason(
    _ entry: QueueEntry, _ programme: String?, _ next: PlanSegment?, on device: ScheduleDevice
  ) -> String {
    let whose =
      programme.map { "it belongs to the programme \(ProgrammeName.shown($0))" }
      ?? "it is in the queue that people fill"
    switch entry.state {
    case .finished, .failed, .skipped, .cancelled: return "\(whose), and its turn is over"
    case .playing: return "\(whose), which is on now"
    case .pending, .offered, .queued, .interrupted: break
    }
    var words = PlanWording(look.schedule.book, zone: zone.rules)
    let stop = device.stoppedAt.map { "; the device is \(words.stop(since: $0))" } ?? ""
    guard let next else {
      return "\(whose), which is not on within the next two weeks\(stop)"
    }
    let by = next.occurrence.flatMap { words.rule($0.rule) }.map { ", by the rule \($0.name)" } ?? ""
    return "\(whose), which is on \(words.time(next.start, next.end))\(by)\(stop)"
  }
}
