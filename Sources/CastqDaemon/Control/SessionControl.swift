package import CastProtocol
package import CastSender
package import CastqCore

/// Carries out live commands over a session that is active, the feeder's or one's own.
///
/// Whatever is asked, the newest status is looked at first: a question that makes no sense is answered without asking the
/// receiver, in words that say why.
package struct SessionControl: Sendable {
  private let session: Session

  private let time: TimeSource

  package init(_ session: Session, time: TimeSource = .continuous) {
    self.session = session
    self.time = time
  }

  /// Does it, and says what came of it.
  package func reply(to command: ControlCommand) async -> ControlReply {
    do throws(ControlFailure) { return .done(try await perform(command)) } catch { return .failed(error) }
  }

  /// Does it.
  /// - Returns: an object of what the command tells.
  package func perform(_ command: ControlCommand) async throws(ControlFailure) -> JSONValue {
    switch command {
    case .play: try await media(.play)
    case .pause: try await media(.pause)
    case .toggle: try await media(try await playing().playerState == .paused ? .play : .pause)
    case .stop: try await media(.stop)
    case .next: try await media(.queueUpdate(QueueUpdate(jump: 1)))
    case .previous: try await media(.queueUpdate(QueueUpdate(jump: -1)))
    case .seek(let goal): try await media(.seek(try await seek(goal)))
    case .setRate(let rate): try await media(.setPlaybackRate(.rate(rate)))
    case .volume: return Self.data(try await volume())
    case .setVolume(let change): return Self.data(try await setVolume(change))
    case .setMuted(let isMuted): return Self.data(try await setMuted(isMuted))
    case .tracks: return Self.data(try await playing())
    case .chooseTracks(let choice):
      let status = try await playing()
      let active = try choice.active(
        from: status.activeTrackIDs ?? [], tracks: status.mediaInformation?.mediaTracks ?? [])
      try await media(.editTracksInfo(TracksEdit(activeTrackIDs: active)))
      let told = try await playing()
      try Self.confirm(active, told)
      return Self.data(told)
    case .setTextStyle(let style):
      let present = try await playing().mediaInformation?.textTrackStyle ?? MediaTextTrackStyle()
      try await media(.editTracksInfo(TracksEdit(textTrackStyle: present.overlaid(with: style))))
    case .skipAd:
      guard try await playing().adBreakStatus != nil else {
        throw ControlFailure("no_ad", "no ad is playing", exit: .no)
      }
      try await media(.skipAd)
    case .send(let message): return try await send(message)
    case .restart, .feed, .poke, .outlook: throw ControlFailure("bug", "a session has no queue", exit: .bug)
    }
    return [:]
  }

  // MARK: - Media

  /// What is loaded, and not over.
  private func playing() async throws(ControlFailure) -> MediaStatus {
    guard let status = session.mediaStatus, !status.isEnded else { throw .nothingPlays }
    return status
  }

  private func media(_ request: MediaRequest) async throws(ControlFailure) {
    _ = try await playing()
    do throws(CastError) { _ = try await session.perform(.media(request)) } catch {
      // A newer command of the same kind took its place: what was wanted last holds.
      if error.code != .replaced { throw ControlFailure(error) }
    }
  }

  private func seek(_ goal: SeekGoal) async throws(ControlFailure) -> SeekOptions {
    let status = try await playing()
    let information = status.mediaInformation
    let title = information?.label ?? "what plays"
    let range = status.liveSeekableRange
    if information?.streamType == .live, range == nil {
      throw ControlFailure(
        "not_seekable", "\(title) is live, and the receiver keeps nothing of it to seek in", exit: .refused)
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
        throw ControlFailure(
          "not_seekable", "the length of \(title) is not known: seek to a position instead", exit: .refused)
      }
      return SeekOptions(.position(MediaTime(seconds: part * length.seconds)))
    }
  }

  // MARK: - Messages

  private func send(_ message: ChannelText) async throws(ControlFailure) -> JSONValue {
    if let application = message.application, session.application?.isApplication(application) != true {
      let running = session.application.map { $0.displayName ?? $0.applicationID } ?? "nothing"
      throw ControlFailure(
        "application_not_running", "\(application) is not running: \(running) is", exit: .no)
    }
    let events = session.events()
    let said = ChannelMessage(namespace: message.namespace, payload: .text(message.text))
    do throws(CastError) { _ = try await session.submit(.message(said)).value } catch {
      throw ControlFailure(error)
    }
    guard let wait = message.wait else { return [:] }
    guard let answer = await answer(on: message.namespace, among: events, within: wait) else {
      throw ControlFailure(
        "timeout", "no answer came on \(message.namespace) within \(wait) s; the message was sent",
        exit: .timeout)
    }
    switch answer {
    case .text(let text): return ["answer": .string(text)]
    case .binary(let bytes):
      throw ControlFailure(
        "binary_answer", "the answer on \(message.namespace) is \(bytes.count) bytes and no text",
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
        // Whether it slept or was woken, the waiting is over.
        try? await time.sleep(.bounded(seconds: seconds))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  // MARK: - Answers

  private static func data(_ status: MediaStatus) -> JSONValue { ["tracks": status.tracksJSON] }

  /// Receivers answer a choice of tracks that they do not make with a status like any other: what it says is active counts (protocol
  /// 21.24).
  private static func confirm(_ wanted: [Int], _ status: MediaStatus) throws(ControlFailure) {
    guard let active = status.activeTrackIDs, Set(active) != Set(wanted) else { return }
    let missing = wanted.filter { !active.contains($0) }.map(String.init).joined(separator: ", ")
    let what = missing.isEmpty ? "the tracks stay as they were" : "track \(missing) is not shown"
    let hasAds = status.mediaInformation?.adBreaks.isEmpty == false
    let why =
      hasAds ? "receivers show no subtitles in a film with ad breaks" : "the receiver did not choose it"
    throw ControlFailure("tracks_unchanged", "\(what): \(why)", exit: .refused)
  }

  // MARK: - Loudness

  private func volume() async throws(ControlFailure) -> DeviceVolume {
    if let volume = session.receiverStatus?.volume { return volume }
    return try await volume(after: .getStatus)
  }

  private func volume(after request: ReceiverRequest) async throws(ControlFailure) -> DeviceVolume {
    var status = session.receiverStatus
    do throws(CastError) {
      if case .receiverStatus(let answer) = try await session.perform(.receiver(request)) { status = answer }
    } catch {
      if error.code != .replaced { throw ControlFailure(error) }
    }
    guard let volume = status?.volume else {
      throw ControlFailure("no_volume", "the device does not say how loud it is", exit: .refused)
    }
    return volume
  }

  private func setVolume(_ change: VolumeText) async throws(ControlFailure) -> DeviceVolume {
    let present = try await volume()
    if present.controlType == .fixed {
      throw ControlFailure(
        "fixed_volume", "the volume of this device is fixed: change it where the sound comes out",
        exit: .refused)
    }
    let wanted =
      switch change {
      case .level(let level): level
      // Receivers add noise to what they tell (protocol 21.16): steps would carry it on.
      case .change(let step): ((present.level + step) * 1000).rounded() / 1000
      }
    return try await volume(after: .setVolume(.level(min(max(wanted, 0), 1))))
  }

  private func setMuted(_ isMuted: Bool) async throws(ControlFailure) -> DeviceVolume {
    let volume = try await volume(after: .setVolume(.muted(isMuted)))
    // A device of fixed volume ignores it in silence (protocol 5.7).
    guard volume.isMuted == isMuted else {
      throw ControlFailure(
        "fixed_volume",
        "the device stays \(isMuted ? "audible" : "mute"): change it where the sound comes out",
        exit: .refused)
    }
    return volume
  }

  private static func data(_ volume: DeviceVolume) -> JSONValue { ["volume": volume.levelJSON] }
}

extension MediaStatus {
  /// The tracks of what is loaded, as `castq status` tells them.
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
  /// Loudness as people count it, 0 to 100.
  package var levelJSON: JSONValue {
    ["level": .integer(Int64(bounded: (level * 100).rounded())), "muted": .bool(isMuted)]
  }
}
