import CastProtocol
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
package import CastqText

/// Moving playback to another device.
extension LiveControl {
  /// - Parameter name: any name of the target device.
  package func transfer(to name: String) async throws(Failure) {
    let isFed = try await isFed()
    let target = try await workspace.device(name, adding: isFed)
    guard target.endpoint != device.endpoint, target.id != device.id || target.id == DeviceID(0) else {
      throw Failure(
        Failure("usage", "\(device.label) is the device it already plays on: name another", exit: .usage),
        device: device)
    }
    if isFed {
      try await QueueTransfer(live: self, target: target).perform()
    } else {
      try await moveSession(to: target)
    }
  }

  private func isFed() async throws(Failure) -> Bool {
    do throws(Failure) {
      return try await askFeeder(.readVolume) != nil
    } catch {
      // The feeder answers. If its device is unreachable, a later step reports that.
      return error.code != Failure.feederGone
    }
  }

  /// Transfers media that other senders loaded, or that a feeder left playing.
  private func moveSession(to target: KnownDevice) async throws(Failure) {
    let timeout = global.deviceTimeout
    let call = DeviceCall(device, in: workspace, global)
    let session = try await call.started(
      SessionOptions(
        purpose: .join(applicationID: nil), connectTimeout: timeout, startTimeout: global.timeout,
        requestTimeout: timeout, reconnection: nil))
    guard let media = session.mediaStatus, !media.isEnded else {
      await session.leave()
      throw Failure(.nothingPlays, device: device)
    }
    do throws(CastError) {
      try await session.transfer(to: target.castDevice)
    } catch {
      await session.leave()
      throw Failure(error, device: target, global)
    }
    DeviceCall(target, in: workspace, global).succeeded(session)
    await session.leave()
  }
}

/// Moves a queue that castq feeds: its feeder ends, the rows move, and a feeder starts on the target.
private struct QueueTransfer {
  let live: LiveControl
  let target: KnownDevice

  private var workspace: Workspace { live.workspace }
  private var source: KnownDevice { live.device }

  func perform() async throws(Failure) {
    // Check everything about the target before stopping anything.
    try requireFree()
    for device in [source, target] { try requireBase(on: device) }
    let (waiting, wasStopped) = try workspace.ask { (here) throws(StoreError) in
      let counts = try here.queue.counts(for: target.id)
      let waiting = [.pending, .offered, .queued, .playing].compactMap { counts[$0] }.reduce(0, +)
      return (waiting, try here.queue.stoppedAt(target.id) != nil)
    }
    if waiting > 0 { throw Failure(Failure(StoreError.queueInUse(waiting: waiting)), device: target) }
    try await probe()
    let place = try await place()
    // A daemon must not start the moved queue before the resume position is set.
    let there = LiveControl(global: live.global, workspace: workspace, device: target)
    try await there.holdInDaemon()
    do throws(Failure) {
      _ = try await live.askFeeder(.perform(.stop(quits: true)))
      try workspace.ask { (here) throws(StoreError) in
        try here.queue.move(from: source.id, to: target.id)
        // The stop was internal: entries added to the source later must play.
        try here.queue.start(source.id)
      }
    } catch {
      // So was that of the target, where rules may have something later.
      if !wasStopped { try workspace.ask { (here) throws(StoreError) in try here.queue.start(target.id) } }
      throw error
    }
    do throws(Failure) {
      try await resume(on: target, from: place)
    } catch {
      // The target cannot play it: move the queue back.
      try workspace.ask { (here) throws(StoreError) in
        try here.queue.recover(target.id)
        try here.queue.move(from: target.id, to: source.id)
      }
      try? await resume(on: source, from: place)
      throw error
    }
    // The daemon sees at once that the source is stopped no more, as whoever asks it next.
    await FeederCall.poke(workspace, source, live.global)
  }

  /// Checks that nobody feeds the target but the daemon, which feeds each device that has rules and lets go of it.
  private func requireFree() throws(Failure) {
    guard !isFedByDaemon(target) else { return }
    try workspace.ask { (here) throws(StoreError) in
      try DatabaseLock(.feeder(target.id), of: here.database).release()
    }
  }

  private func isFedByDaemon(_ device: KnownDevice) -> Bool {
    guard let feeder = DatabaseLock.holder(.feeder(device.id), of: workspace.database), feeder.isAlive
    else { return false }
    return feeder.process == DatabaseLock.holder(.daemon, of: workspace.database)?.process
  }

  /// Checks that no rule has the screen of a device: what it shows is not the queue that moves, and there the queue would have to wait.
  private func requireBase(on device: KnownDevice) throws(Failure) {
    guard isFedByDaemon(device) else { return }
    let stored = try workspace.ask { (here) throws(StoreError) in
      try ScheduleStore(here.database).shown(on: device.id)
    }
    guard let stored, let onAir = stored.decision.onAir, stored.decision.kind != .share else { return }
    let end = onAir.occurrence.end
    guard end.map({ $0 > .now }) ?? true else { return }
    let until = try end?.dated.map { (end) throws(Failure) in try SiteZone(live.global).zone.text(end) }
    throw Failure(
      Failure(
        Failure.scheduled,
        "the rule \(stored.rule ?? ProgrammeName.shown(onAir.programme)) has the screen"
          + "\(until.map { ", until \($0)" } ?? ""); transfer when it has ended",
        hint: stored.rule.map(Hint.disableRuleFirst), exit: .tryAgain), device: device)
  }

  private struct Place {
    var entry: EntryID?
    var position: Double?
    var isPaused = false
  }

  private func place() async throws(Failure) -> Place {
    let status = try await look(at: source, .observe(applicationID: nil)) { session in
      (session.mediaStatus, session.remoteMediaClient.approximateStreamPosition()?.seconds)
    }
    guard let media = status.0, !media.isEnded else { throw Failure(.nothingPlays, device: source) }
    let isLive = media.mediaInformation?.streamType == .live
    return Place(
      entry: try workspace.screenRows(source, status: media).entry, position: isLive ? nil : status.1,
      isPaused: media.playerState == .paused)
  }

  private func probe() async throws(Failure) { try await look(at: target, .device) { _ in } }

  private func look<Value>(
    at device: KnownDevice, _ purpose: SessionPurpose, _ read: (Session) -> Value
  ) async throws(Failure) -> Value {
    let timeout = live.global.deviceTimeout
    let call = DeviceCall(device, in: workspace, live.global)
    let session = try await call.started(
      SessionOptions(
        purpose: purpose, connectTimeout: timeout, startTimeout: live.global.timeout,
        requestTimeout: timeout, reconnection: nil))
    let value = read(session)
    await session.leave()
    return value
  }

  private func resume(on device: KnownDevice, from place: Place) async throws(Failure) {
    let position = place.position.map(MediaTime.init(seconds:))
    try await FeederCall.background(workspace, device, live.global)
      .feed(FeedRequest(first: place.entry, position: position))
    if place.isPaused {
      try await LiveControl(global: live.global, workspace: workspace, device: device).ask(.perform(.pause))
    }
  }
}
