import CastProtocol
import CastSender
import CastqCore
import CastqStore

/// Entries may have time windows: while none is open the screen is left to others, and the run goes on when one opens.
extension QueueRunner {
  /// Calls the device for the first entry that may be shown, with the application that it needs: a page that a feeder before has
  /// left on the screen is not to be driven away by a media receiver.
  func begin(in group: inout DiscardingTaskGroup) {
    wait = nil
    let wall = WallTime(milliseconds: time.wallMilliseconds())
    let list: UpcomingList
    do throws(StoreError) {
      list = try read(in: &group) { (rows, now) throws(StoreError) in
        try rows.upcoming(limit: 1, besides: nil, at: now, wall: wall)
      }
    } catch {
      // A list that cannot be read is no reason to launch anything.
      outcome = .failed(ControlFailure(error))
      // The loop looks at the outcome after an event.
      send.yield(.timersDue)
      return
    }
    if list.places.isEmpty, let opening = list.until { return wait(until: opening, in: &group) }
    application = list.places.first?.application ?? .media
    openSession(in: &group)
  }

  /// Looks again when the first window opens.
  func wait(until opening: WallTime, in group: inout DiscardingTaskGroup) {
    if let old = session?.session {
      session = nil
      let action = endAction
      group.addTask { await old.end(action) }
    }
    endAction = .leave
    feeder = FeederMachine(queue: queueName, configuration: options.configuration)
    let now = WallTime(milliseconds: time.wallMilliseconds())
    if announced != opening { report(.waiting(until: opening)) }
    announced = opening
    waits += 1
    wait = waits
    let pause = options.configuration.pause(until: opening, at: now)
    group.addTask { [time, send, number = waits] in
      guard (try? await time.sleep(pause)) != nil else { return }
      send.yield(.look(number))
    }
  }
}
