import CastProtocol
import CastSender
import CastqCore
import CastqStore

/// Reading and writing rows through times in which the database does not work.
extension QueueRunner {
  func write(_ write: FeederWrite, in group: inout DiscardingTaskGroup) throws(StoreError) {
    try read(in: &group) { (rows, now) throws(StoreError) in try rows.write(write, at: now) }
  }

  func read<Value>(
    in group: inout DiscardingTaskGroup, _ body: (inout FeederRows, Tick) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let result = Result { () throws(StoreError) in try body(&rows, time.now()) }
    if let error = rows.takeNews() {
      report(.storeFailed(error))
      scheduleCatchUp(in: &group)
    }
    return try result.get()
  }

  /// Writes what waits, or waits on.
  func catchUp(in group: inout DiscardingTaskGroup) {
    guard let catchUp = rows.catchUp(at: time.now()) else { return scheduleCatchUp(in: &group) }
    report(.storeCaughtUp(catchUp))
    // Others may have written as well.
    feed(.rowsChanged, in: &group)
  }

  private func scheduleCatchUp(in group: inout DiscardingTaskGroup) {
    guard let pause = rows.pause else { return }
    group.addTask { [time, send] in
      guard (try? await time.sleep(pause)) != nil else { return }
      send.yield(.writesDue)
    }
  }

  /// Somebody has started the list.
  func noteStart(in group: inout DiscardingTaskGroup) {
    do throws(StoreError) { try write(.start, in: &group) } catch {
      outcome = .failed(ControlFailure(error))
      // The loop looks at the outcome after an event.
      send.yield(.timersDue)
    }
  }

  /// What a person has stopped, or an entry that says so, stays so whatever becomes of the programs.
  func noteStop() {
    switch outcome {
    case .halted, .entryFailed:
      do throws(StoreError) {
        try queueStore.stop(device.id, at: WallTime(milliseconds: time.wallMilliseconds()))
      } catch {
        report(.storeFailed(error))
      }
    case nil, .drained, .takenOver, .stoppedElsewhere, .refused, .unreachable, .stopped, .failed, .busy: break
    }
  }

  /// The run is over: what was done is written at last, or said to be missing. A list is not called played when nobody wrote
  /// down that it was.
  func finishRows() {
    guard let catchUp = rows.finish(at: time.now()) else { return }
    report(.storeCaughtUp(catchUp))
    guard catchUp.missing > 0, let error = catchUp.error, outcome?.failure == nil else { return }
    if case .stopped = outcome { return }
    outcome = .failed(ControlFailure(error))
  }
}
