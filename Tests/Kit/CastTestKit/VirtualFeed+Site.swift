import CastProtocol
import CastqFeeding

/// A feed whose runs a site begins and ends.
extension VirtualFeed {
  /// Begins a run as the site says.
  /// - Parameter clearing: set for one that only ends what an earlier run has left on the screen.
  mutating func begin(_ start: RunStart, clearing: RunnerConfiguration.Clearing? = nil) {
    var machine = usual
    machine.reconnect = RunnerConfiguration.eager
    machine.start = start
    machine.clearing = clearing
    isClearing = clearing != nil
    end = nil
    startRun(machine)
    feederRows.isLooping = start.loops
  }

  /// Lets time pass, with or without a run.
  mutating func advance(to limit: Tick) {
    while let next = nextTick, next <= limit { step(to: next) }
    if limit > now { step(to: limit) }
  }

  /// castq is killed: nothing is left of the run, and the device does not hear of it before it looks.
  mutating func crash() {
    note("killed")
    dropSession()
    leaseEndsAt = nil
    feederRows = FeederRows(rows)
    (answers, told, end) = ([:], [], .stopped)
  }

  /// Writes something of the site into the rows of its device.
  mutating func write(_ write: FeederWrite) {
    do throws(VirtualRows.Outage) { try feederRows.write(write, at: now) } catch {
      note("not written: \(write)")
    }
  }

  mutating func takeTold() -> [VirtualSite.Told] {
    defer { if told?.isEmpty == false { told = [] } }
    return told ?? []
  }

  /// What became of a live command; nil while nothing has.
  mutating func takeAnswer(_ ticket: TicketID) -> ControlReply? { answers.removeValue(forKey: ticket) }
}
