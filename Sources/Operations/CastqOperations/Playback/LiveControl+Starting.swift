import CastqDaemon
import CastqFeeding
package import CastqPlaylists
import CastqSchedule
import CastqStore
package import CastqText

/// Starting what does not play, and stopping for good.
extension LiveControl {
  /// Resumes; when nothing plays, or what plays is a guest's, has the queue fed, and what rules have on the air.
  /// - Parameter first: the entry to play; nil is what is due.
  package func play(_ first: EntryID? = nil) async throws(Failure) {
    if let first { try workspace.requireEntry(first, on: device) }
    if try await isDone(.play(first)) { return }
    guard first == nil else { return try await start(first) }
    do throws(Failure) { _ = try await performDirectly(.perform(.play(nil)), of: try await claim) } catch {
      if Self.isAway(error) { return try await startWhenBack(error) }
      try await startInstead(of: error)
    }
  }

  /// Pauses or resumes. A device that a person stopped is started: that is what 'castq play' does there.
  package func toggle() async throws(Failure) {
    if try await isDone(.toggle) { return }
    do throws(Failure) { _ = try await performDirectly(.perform(.toggle)) } catch {
      guard try isStopped else { throw error }
      if Self.isAway(error) { return try await startWhenBack(error) }
      try await startInstead(of: error)
    }
  }

  /// Stops the media and marks the queue as stopped until it is started again, even if nothing plays.
  package func stop(quits: Bool) async throws(Failure) {
    // A database that cannot be written must not keep what is wrong on the screen.
    var unwritten: Failure?
    do throws(Failure) { try mark() } catch { unwritten = error }
    do throws(Failure) { try await ask(.perform(.stop(quits: quits))) } catch {
      // Nothing plays, as was asked for.
      if error.exit != .no { throw error }
    }
    if var unwritten {
      unwritten.message = "\(device.label) is stopped until castq starts anew: \(unwritten.message)"
      throw Failure(unwritten, device: device)
    }
  }

  private func mark() throws(Failure) {
    guard device.id != DeviceID(0) else { return }
    try workspace.ask { (here) throws(StoreError) in try here.queue.stop(device.id, at: .now) }
  }

  /// Whether a feeder has done it.
  private func isDone(_ verb: PlaybackVerb) async throws(Failure) -> Bool {
    do throws(Failure) { return try await askFeeder(.perform(verb)) != nil } catch {
      guard error.code == Failure.feederGone else { throw error }
      return false
    }
  }

  /// Whether a failure means that the device could not be asked: it is off, or silent.
  private static func isAway(_ failure: Failure) -> Bool {
    failure.exit == .unreachable || failure.exit == .timeout
  }

  /// Lifts the stop of a device that is away: a daemon calls it until it is back, and plays then.
  private func startWhenBack(_ failure: Failure) async throws(Failure) {
    guard let daemon = try await FeederCall.daemon(workspace, device, global) else {
      if device.id != DeviceID(0) {
        try workspace.ask { (here) throws(StoreError) in try here.queue.start(device.id) }
      }
      throw failure
    }
    do throws(Failure) {
      guard try await daemon.ask(.feed(FeedRequest(takesRules: true)), timeout: Self.callTime) == nil
      else { return }
    } catch {
      switch error.exit {
      case .no: break  // nothing is due, so nobody calls it
      case .unreachable, .timeout:
        var failure = failure
        failure.add(SiteMachine.keepsCalling)
        throw failure
      default: throw error
      }
    }
    throw failure
  }

  /// How long a command that has called in vain waits for the first call of the daemon: a device that is back by then plays.
  private static let callTime = Duration.seconds(2)

  /// Has the device fed, since nothing plays there that could be resumed.
  private func startInstead(of failure: Failure) async throws(Failure) {
    guard failure.exit == .no else { throw failure }
    let nothing = Failure(
      Failure(failure.code, "nothing is playing, and nothing is left in the queue", exit: .no), device: device
    )
    if try !hasSomethingDue {
      // What rules have on the air only a daemon knows; it says when there is nothing.
      guard device.id != DeviceID(0), try await FeederCall.daemon(workspace, device, global) != nil else {
        throw nothing
      }
    }
    do throws(Failure) { try await start(nil) } catch {
      throw error.code == Failure.nothingPlayed ? nothing : error
    }
  }

  private func start(_ first: EntryID?) async throws(Failure) {
    try await requireFeederOrRights()
    try await FeederCall.background(workspace, device, global)
      .start(FeedRequest(first: first, takesRules: first == nil))
  }

  /// A queue is played by whoever feeds the device already, or by this process, which records what it plays.
  private func requireFeederOrRights() async throws(Failure) {
    guard workspace.database.isReadOnly, try await FeederCall.daemon(workspace, device, global) == nil,
      try await FeederCall.feeder(workspace, device, global) == nil
    else { return }
    let reason = Failure(StoreError.readOnly(path: workspace.database.path))
    throw Failure(
      Failure(
        reason.code, "a queue is played by those who can record its plays: \(reason.message)",
        exit: reason.exit),
      device: device)
  }

  /// The queue for which a guest has to leave the screen; nil where castq has nothing to show, and resumes whatever is there.
  private var claim: String? {
    get async throws(Failure) {
      guard device.id != DeviceID(0) else { return nil }
      // Who cannot record plays takes no screen for a queue, unless a daemon does it.
      if workspace.database.isReadOnly, try await FeederCall.daemon(workspace, device, global) == nil {
        return nil
      }
      var isDue = try hasSomethingDue
      if !isDue { isDue = try await workspace.outlook(device, global).isYielded }
      guard isDue else { return nil }
      return try workspace.ask { (here) throws(StoreError) in try here.queue.settings(for: device.id).queue }
    }
  }

  private var hasSomethingDue: Bool {
    get throws(Failure) {
      guard device.id != DeviceID(0) else { return false }
      return try workspace.ask { (here) throws(StoreError) in
        try !here.queue.look(into: device.id, limit: 1, besides: nil).isEmpty
      }
    }
  }

  private var isStopped: Bool {
    get throws(Failure) {
      guard device.id != DeviceID(0) else { return false }
      return try workspace.ask { (here) throws(StoreError) in try here.queue.stoppedAt(device.id) != nil }
    }
  }
}

extension Workspace {
  fileprivate func requireEntry(_ entry: EntryID, on device: KnownDevice) throws(Failure) {
    try ask { (here) throws(StoreError) in
      guard try here.queue.contains(entry, on: device.id) else {
        throw StoreError.unknownEntry("\(entry.rawValue)")
      }
    }
  }
}
