import CastProtocol
import CastqFeeding
import CastqText

extension RemoteMachine {
  /// Speeds that a person can choose; the SDKs' control has 0.5, 1 and 2 of them.
  static let rates = [0.5, 0.75, 1, 1.25, 1.5, 2]

  mutating func toggle(at now: Tick) -> [RemoteAction] {
    guard let media = shownStatus(at: now)?.media else { return perform(.start(nil), "starting", at: now) }
    // Live media has no pause: what was missed would be lost.
    if media.isLive, media.state != .paused {
      return perform(.verb(.stop(quits: false)), "stopping", at: now)
    }
    switch media.state {
    case .paused: return perform(.verb(.play(nil)), .paused(false), "resuming", at: now)
    case .playing, .buffering, .loading:
      guard media.canPause else {
        say("this cannot be paused; s stops it", at: now)
        return []
      }
      return perform(.verb(.pause), .paused(true), "pausing", at: now)
    case .showing:
      say("a picture or page stays for its time; n shows the next, s stops", at: now)
      return []
    }
  }

  mutating func skip(_ seconds: Double, at now: Tick) -> [RemoteAction] {
    guard let media = playing("nothing is playing that could be moved in", at: now) else { return [] }
    guard media.canSeek, media.ad == nil, let position = media.position(at: now) else {
      say(media.ad == nil ? "this cannot be moved in" : "an ad cannot be moved in", at: now)
      return []
    }
    let goal = max(min(position + seconds, media.duration ?? .infinity), 0)
    return perform(.verb(.seek(.offset(MediaTime(seconds: seconds)))), .position(goal), "seeking", at: now)
  }

  mutating func seek(toFraction fraction: Double, at now: Tick) -> [RemoteAction] {
    guard let media = shownStatus(at: now)?.media, media.canSeek, media.ad == nil, !media.isLive,
      let duration = media.duration
    else { return [] }
    let goal = max(min(fraction, 1), 0) * duration
    return perform(.verb(.seek(.position(MediaTime(seconds: goal)))), .position(goal), "seeking", at: now)
  }

  mutating func changeRate(_ step: Int, at now: Tick) -> [RemoteAction] {
    guard let media = playing("nothing is playing that has a speed", at: now) else { return [] }
    let present = Self.rates.indices.min { left, right in
      abs(Self.rates[left] - media.rate) < abs(Self.rates[right] - media.rate)
    }
    let index = min(max((present ?? 2) + step, 0), Self.rates.count - 1)
    return setRate(Self.rates[index], at: now)
  }

  mutating func setRate(_ rate: Double, at now: Tick) -> [RemoteAction] {
    guard let media = playing("nothing is playing that has a speed", at: now) else { return [] }
    guard media.canChangeRate, !media.isLive else {
      say("this plays at its normal speed only", at: now)
      return []
    }
    return perform(.verb(.rate(rate)), .rate(rate), "speed", at: now)
  }

  mutating func changeVolume(_ step: Int, at now: Tick) -> [RemoteAction] {
    guard let volume = adjustable(at: now) else { return [] }
    let level = min(max(volume.level + step, 0), 100)
    return perform(.verb(.volume(.change(Double(step) / 100))), .volume(level), "volume", at: now)
  }

  mutating func setVolume(_ level: Int, at now: Tick) -> [RemoteAction] {
    guard adjustable(at: now) != nil else { return [] }
    return perform(.verb(.volume(.level(Double(level) / 100))), .volume(level), "volume", at: now)
  }

  mutating func toggleMute(at now: Tick) -> [RemoteAction] {
    guard let volume = adjustable(at: now) else { return [] }
    return perform(.verb(.mute(!volume.isMuted)), .muted(!volume.isMuted), "volume", at: now)
  }

  private mutating func adjustable(at now: Tick) -> RemoteStatus.Volume? {
    guard let volume = wishedVolume ?? shownStatus(at: now)?.volume else {
      say("the volume is not known while the device does not answer", at: now)
      return nil
    }
    guard !volume.isFixed else {
      say("the volume of this device is fixed", at: now)
      return nil
    }
    return volume
  }

  /// The volume with every step that was wished: fast presses add up, even where the device is slow.
  private var wishedVolume: RemoteStatus.Volume? {
    guard var volume = status?.volume else { return nil }
    for wish in wishes where !wish.isDone {
      switch wish.change {
      case .volume(let level): volume.level = level
      case .muted(let isMuted): volume.isMuted = isMuted
      case .paused, .position, .rate, .moved, .nothing: continue
      }
    }
    return volume
  }

  mutating func skipAd(at now: Tick) -> [RemoteAction] {
    guard let ad = status?.media?.ad else {
      say("no ad is on the screen", at: now)
      return []
    }
    guard ad.skippableIn != nil else {
      say("this ad cannot be skipped", at: now)
      return []
    }
    return perform(.verb(.skipAd), "skipping the ad", at: now)
  }

  private mutating func playing(_ otherwise: String, at now: Tick) -> RemoteMedia? {
    guard let media = shownStatus(at: now)?.media else {
      say(otherwise, at: now)
      return nil
    }
    return media
  }
}
