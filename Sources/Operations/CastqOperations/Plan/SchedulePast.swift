import CastqDaemon
import CastqSchedule
import CastqStore
import CastqText

extension ScheduleDevice {
  /// The device without what only the configuration and the queue of today have: nobody knows which ones
  /// there were.
  var inThePast: ScheduleDevice {
    var device = self
    (device.darkHours, device.baseFrom, device.emptyShares) = (nil, nil, [:])
    return device
  }
}

/// The schedule as it was: the rules and what they named, from a moment on, as far as the history of rules has it.
struct SchedulePast {
  let epochs: [RuleEpoch]
  private let past: RulePast
  private let present: ScheduleBook

  init(_ look: ScheduleLook, since start: WallTime) throws(Failure) {
    let schedule = look.schedule
    let (past, lengths) = try look.workspace.ask { (here) throws(StoreError) in
      let past = try ScheduleStore(here.database).past(since: start, present: schedule.book.rules)
      let open = past.epochs.map(\.rule).filter { $0.form.hasOnlyStarts && $0.length == nil }
      return (past, try here.queue.lengths(ofProgrammes: Set(open.flatMap(\.programmes))))
    }
    self.past = past
    epochs = past.epochs
    var book = schedule.book
    book.lengths.merge(lengths) { $1 }
    // A zone that no rule names any more.
    for rule in past.epochs.map(\.rule) {
      for zone in rule.zones where book.zones[zone] == nil { book.zones[zone] = look.site.rules(of: zone) }
    }
    for zone in past.named.zones.zones where book.zones[zone] == nil {
      book.zones[zone] = look.site.rules(of: zone)
    }
    present = book
  }

  func book(at moment: WallTime) -> ScheduleBook {
    var book = past.named.book(present, at: moment)
    book.rules = past.rules(at: moment)
    return book
  }

  /// When rules, or the zones that they are read in, became others.
  var changes: [WallTime] {
    epochs.flatMap { [$0.range.lowerBound, $0.range.upperBound] } + zoneChanges
  }

  /// When rules without a zone of their own were read in another one than before.
  var zoneChanges: [WallTime] { past.named.zones.moments }

  /// The device with the groups that it was in, and its zone; what is passed over now was not then.
  func device(_ device: ScheduleDevice, at moment: WallTime) -> ScheduleDevice {
    var device = past.named.device(device, at: moment)
    device.passedOver = [:]
    return device
  }
}
