import CastProtocol
package import CastReceiverSim
import CastqFeeding
import CastqText

/// Failures of a device, its network and the computer that feeds it.
extension VirtualFeed {
  /// Applies a control to the device; one that is impossible in the present state has no effect.
  package mutating func control(_ control: SimControl) {
    receiver.handle(.control(control))
    let words = "\(control)"
    note(receiver.model.refusal.map { "\(words): \($0)" } ?? words)
    collect()
    watch.see(receiver.model, page: page, at: now)
  }

  /// Cuts the device's power without notice: the connection is found broken when it is used.
  package mutating func cutPower(for time: Duration) {
    control(.drop(for: nil, .silent))
    control(.reboot(downFor: time))
    note("power cut for \(time)")
    run(until: now + time)
    control(.returnToNetwork)
  }

  /// The wall clock jumps, as when it is set: forward, or (negative) back.
  package mutating func jumpClock(by time: Duration) {
    note("clock jumps by \(time)")
    wallOffset += time
  }

  /// Every rule of the device is removed.
  package mutating func removeRules() { tell(.schedule(nil)) }

  package var rowsWork: Bool { !rows.isFailing }

  /// The rows can be neither read nor written for this time.
  package mutating func failRows(for time: Duration) {
    note("rows fail for \(time)")
    rows.isFailing = true
    rowsWorkAt = max(rowsWorkAt ?? now, now + time)
  }

  /// The database of the computer that feeds the device fails for good.
  package mutating func breakRows(_ words: String) {
    tell(.storeBroken(Failure("database", words, exit: .inputOutput)))
  }
}
