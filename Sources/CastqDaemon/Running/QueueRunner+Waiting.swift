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
    let now = WallTime(milliseconds: time.wallMilliseconds())
    // Who cannot read it now is told so when the feeder reads.
    let due = try? queueStore.upcoming(
      for: device.id, limit: 1, besides: nil, at: now, looping: rows.isLooping)
    let opening = try? queueStore.nextChange(for: device.id, after: now, looping: rows.isLooping)
    if due?.isEmpty == true, let opening { return wait(until: opening, in: &group) }
    application = due?.first?.application ?? .media
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
