package import CastProtocol
package import CastSender
package import CastqFeeding
import CastqPlaylists
package import CastqText

/// Performs live commands over an active session, the feeder's or the command's own.
///
/// Commands are checked against the newest status first: an impossible one fails with a reason, without a request to the receiver.
package struct SessionControl: Sendable {
  private let session: Session

  private let time: TimeSource
  private let steps: VolumeSteps

  /// - Parameter steps: that of all commands over the session.
  package init(_ session: Session, steps: VolumeSteps = VolumeSteps(), time: TimeSource = .continuous) {
    self.session = session
    self.steps = steps
    self.time = time
  }

  /// Performs a command and returns its outcome.
  package func reply(to command: ControlCommand) async -> ControlReply {
    do throws(Failure) { return .done(try await perform(command)) } catch { return .failed(error) }
  }

  /// Performs a command.
  /// - Returns: the reply as an object; empty for commands without data.
  package func perform(_ command: ControlCommand) async throws(Failure) -> JSONValue {
    switch command {
    case .perform(let verb): return try await perform(verb)
    case .readVolume: return Self.data(try await volume())
    case .readTracks: return Self.data(try await playing())
    case .send(let message): return try await send(message)
    case .status: return try status()
    case .feed, .poke, .outlook, .fetches, .watch, .health, .metrics:
      throw Failure("bug", "a session has no queue", exit: .bug)
    }
  }

  private func perform(_ verb: PlaybackVerb) async throws(Failure) -> JSONValue {
    switch verb {
    // A picture is on the screen as long as it is loaded, and receivers call it paused.
    case .play where session.mediaStatus?.showsPicture == true: break
    case .pause where session.mediaStatus?.showsPicture == true,
      .toggle where session.mediaStatus?.showsPicture == true:
      throw Failure(
        "picture", "a picture is on the screen: it cannot be paused, only passed over or stopped",
        exit: .refused)
    case .play: try await media(.play)
    case .pause: try await media(.pause)
    case .toggle: try await media(try await playing().playerState == .paused ? .play : .pause)
    case .stop: try await media(.stop)
    case .next: try await media(.queueUpdate(QueueUpdate(jump: 1)))
    case .previous: try await media(.queueUpdate(QueueUpdate(jump: -1)))
    case .seek(let goal): try await media(.seek(try await seek(goal)))
    case .rate(let rate): try await media(.setPlaybackRate(.rate(rate)))
    case .volume(let change): return Self.data(try await setVolume(change))
    case .mute(let isMuted): return Self.data(try await setMuted(isMuted))
    case .tracks(let choice):
      let status = try await playing()
      let active = try choice.active(
        from: status.activeTrackIDs ?? [], tracks: status.mediaInformation?.mediaTracks ?? [])
      try await media(.editTracksInfo(TracksEdit(activeTrackIDs: active)))
      let updated = try await playing()
      try Self.confirm(active, updated)
      return Self.data(updated)
    case .style(let style):
      let present = try await playing().mediaInformation?.textTrackStyle ?? MediaTextTrackStyle()
      try await media(.editTracksInfo(TracksEdit(textTrackStyle: present.overlaid(with: style))))
    case .skipAd:
      guard try await playing().adBreakStatus != nil else {
        throw Failure("no_ad", "no ad is playing", exit: .no)
      }
      try await media(.skipAd)
    case .setRepeat, .shuffle, .clear, .transfer:
      throw Failure("bug", "no session does '\(verb.name.rawValue)'", exit: .bug)
    }
    return [:]
  }

  /// The newest status, with the position as it is now. Only the current item is included.
  private func status() throws(Failure) -> JSONValue {
    guard let receiver = session.receiverStatus,
      session.mediaStatus != nil
        || session.application?.namespaces.contains(Namespace.media.rawValue) == false
    else {
      throw Failure(
        Failure.statusUnknown, "the application has not said what it plays", exit: .no)
    }
    let media = session.mediaStatus.map { status in
      var status = status
      status.streamPosition = session.remoteMediaClient.approximateStreamPosition()
      status.queueItems = status.queueItems.filter { $0.itemID == status.currentItemID }
      return status
    }
    return .members([
      "receiver": receiver.json, "application": session.application?.json, "media": media?.json,
    ])
  }

  // MARK: - Media

  /// The status of the loaded media; throws if none is loaded or it has ended.
  private func playing() async throws(Failure) -> MediaStatus {
    guard let status = session.mediaStatus, !status.isEnded else { throw .nothingPlays }
    return status
  }

  private func media(_ request: MediaRequest) async throws(Failure) {
    _ = try await playing()
    do throws(CastError) { _ = try await session.perform(.media(request)) } catch {
      // A newer command of the same kind replaced it, and that one counts.
      if error.code != .replaced { throw Failure(error) }
    }
  }

  private func seek(_ goal: SeekGoal) async throws(Failure) -> SeekOptions {
    let status = try await playing()
    let information = status.mediaInformation
    let title = information?.label ?? "what plays"
    let range = status.liveSeekableRange
    if information?.streamType == .live, range == nil {
      throw Failure(
        "not_seekable", "\(title) is live, and the receiver has no seekable range", exit: .refused)
    }
    switch goal {
    case .position(let position): return SeekOptions(.position(position))
    case .offset(let offset): return SeekOptions(.offset(offset))
    case .fraction(let part):
      if let range {
        let length = range.endTime.seconds - range.startTime.seconds
        return SeekOptions(.position(MediaTime(seconds: range.startTime.seconds + part * max(length, 0))))
      }
      guard let length = information?.streamDuration, length.seconds > 0 else {
        throw Failure(
          "not_seekable", "the length of \(title) is unknown: seek to a position instead", exit: .refused)
      }
      return SeekOptions(.position(MediaTime(seconds: part * length.seconds)))
    }
  }

  // MARK: - Messages

  private func send(_ message: ChannelText) async throws(Failure) -> JSONValue {
    if let application = message.application, session.application?.isApplication(application) != true {
      let running = session.application.map { $0.displayName ?? $0.applicationID } ?? "nothing"
      throw Failure(
        "application_not_running", "\(application) is not running: \(running) is", exit: .no)
    }
    let events = session.events()
    let said = ChannelMessage(namespace: message.namespace, payload: .text(message.text))
    do throws(CastError) { _ = try await session.submit(.message(said)).value } catch {
      throw Failure(error)
    }
    guard let wait = message.wait else { return [:] }
    guard let answer = await answer(on: message.namespace, among: events, within: wait) else {
      throw Failure(
        "timeout", "no answer came on \(message.namespace) within \(wait) s; the message was sent",
        exit: .timeout)
    }
    switch answer {
    case .text(let text): return ["answer": .string(text)]
    case .binary(let bytes):
      throw Failure(
        "binary_answer", "the answer on \(message.namespace) is binary (\(bytes.count) bytes), not text",
        exit: .refused)
    }
  }

  private func answer(
    on namespace: String, among events: AsyncStream<SessionEvent>, within seconds: Double
  ) async -> ChannelPayload? {
    await withTaskGroup(of: ChannelPayload?.self) { group in
      group.addTask {
        for await event in events {
          if case .channelMessage(let message) = event, message.namespace == namespace {
            return message.payload
          }
        }
        return nil
      }
      group.addTask { [time] in
        // Cancellation ends the wait, too.
        try? await time.sleep(.bounded(seconds: seconds))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  // MARK: - Answers

  private static func data(_ status: MediaStatus) -> JSONValue { ["tracks": status.tracksJSON] }

  /// Throws if the receiver did not activate the tracks. It reports that only by the active tracks of its status (protocol 21.24).
  private static func confirm(_ wanted: [Int], _ status: MediaStatus) throws(Failure) {
    guard let active = status.activeTrackIDs, Set(active) != Set(wanted) else { return }
    let missing = wanted.filter { !active.contains($0) }.map(String.init).joined(separator: ", ")
    let what = missing.isEmpty ? "the tracks are unchanged" : "track \(missing) is not shown"
    let hasAds = status.mediaInformation?.adBreaks.isEmpty == false
    let why =
      hasAds ? "receivers show no subtitles in a film with ad breaks" : "the receiver did not activate it"
    throw Failure("tracks_unchanged", "\(what): \(why)", exit: .refused)
  }

  // MARK: - Volume

  private func volume() async throws(Failure) -> DeviceVolume {
    if let volume = session.receiverStatus?.volume { return volume }
    return try await volume(after: session.submit(.receiver(.getStatus)))
  }

  private func volume(after request: Request<Reply>) async throws(Failure) -> DeviceVolume {
    var status = session.receiverStatus
    do throws(CastError) {
      if case .receiverStatus(let answer) = try await request.value { status = answer }
    } catch {
      if error.code != .replaced { throw Failure(error) }
    }
    guard let volume = status?.volume else {
      throw Failure("no_volume", "the device does not report its volume", exit: .refused)
    }
    return volume
  }

  private func setVolume(_ change: VolumeText) async throws(Failure) -> DeviceVolume {
    let present = try await volume()
    if present.controlType == .fixed {
      throw Failure(
        "fixed_volume", "the volume of this device is fixed: change it on the television or the amplifier",
        exit: .refused)
    }
    let request = steps.begin { goal in
      // Read now: other steps may have been made since the volume was asked for.
      let origin = goal ?? session.receiverStatus?.volume?.level ?? present.level
      let wanted =
        switch change {
        case .level(let level): level
        // Receivers report levels with rounding noise (protocol 21.16), which steps would accumulate.
        case .change(let step): ((origin + step) * 1000).rounded() / 1000
        }
      let level = min(max(wanted, 0), 1)
      return (level, session.submit(.receiver(.setVolume(.level(level)))))
    }
    defer { steps.end() }
    return try await volume(after: request)
  }

  private func setMuted(_ isMuted: Bool) async throws(Failure) -> DeviceVolume {
    let volume = try await volume(after: session.submit(.receiver(.setVolume(.muted(isMuted)))))
    // A device with fixed volume ignores the request (protocol 5.7).
    guard volume.isMuted == isMuted else {
      throw Failure(
        "fixed_volume",
        "the device stays \(isMuted ? "audible" : "muted"): change it on the television or the amplifier",
        exit: .refused)
    }
    return volume
  }

  private static func data(_ volume: DeviceVolume) -> JSONValue { ["volume": volume.levelJSON] }
}

extension MediaStatus {
  /// The tracks of the loaded media, as in `castq status`.
  package var tracksJSON: JSONValue {
    let active = Set(activeTrackIDs ?? [])
    return .array(
      (mediaInformation?.mediaTracks ?? []).map { track in
        [
          "id": .integer(Int64(track.identifier)), "type": .string(track.kind.word),
          "subtype": JSONValue(track.textSubtype?.word) ?? .null,
          "language": JSONValue(track.languageCode) ?? .null, "name": JSONValue(track.name) ?? .null,
          "active": .bool(active.contains(track.identifier)),
        ]
      })
  }
}

extension DeviceVolume {
  /// The volume, with a level from 0 to 100.
  package var levelJSON: JSONValue {
    ["level": .integer(Int64(bounded: (level * 100).rounded())), "muted": .bool(isMuted)]
  }
}

extension MediaStatus {
  /// Whether a still picture is on the screen.
  fileprivate var showsPicture: Bool { !isEnded && !isLoading && mediaInformation?.isPicture == true }
}
