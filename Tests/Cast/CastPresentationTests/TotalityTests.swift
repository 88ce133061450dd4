import CastPresentation
import CastProtocol
import Testing

/// Every event in every state, by a seeded walk.
@Suite struct TotalityTests {
  @Test("no event in any state traps, and what is kept stays bounded", arguments: 0..<40 as Range<UInt64>)
  func walks(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var face = Face {
      $0.opensExpandedControllerAutomatically = seed.isMultiple(of: 2)
      $0.disablesControlsWhilePending = seed.isMultiple(of: 3)
      $0.optimism = seed.isMultiple(of: 5) ? .zero : .milliseconds(300)
      $0.positionInterval = seed.isMultiple(of: 7) ? .zero : .seconds(1)
    }
    for step in 0..<250 {
      let event = Self.event(&random, step)
      let actions = face.learn(event)
      for action in actions {
        if case .startTimer(let wait) = action { #expect(wait >= PresentationMachine.shortestWait) }
        guard case .perform(_, let id) = action, Bool.random(using: &random) else { continue }
        let failure = Bool.random(using: &random) ? PresentationFailure("no", nextStep: "\(step)") : nil
        face.learn(.finished(id, failure))
      }
      face.pass(.milliseconds(Int.random(in: -50...900, using: &random)))
      face.actions = []
      let shot = face.shot
      #expect(shot.notices.count <= PresentationMachine.noticeLimit)
      #expect(shot.intents.count <= PresentationMachine.recordLimit)
      #expect(shot.expandedController.controls.count <= ExpandedControllerModel.controlLimit)
      #expect(!(shot.miniController.isVisible && shot.expandedController.isOpen), "one of the two")
      #expect(shot.media.progress.map { (0...1).contains($0) } ?? true)
    }
  }

  private static let numbers: [Double] = [
    0, -1, 0.5, 1, 2, 600, 1e18, -1e300, .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude,
  ]

  private static func event(_ random: inout SeededGenerator, _ step: Int) -> PresentationEvent {
    func number() -> Double { numbers.randomElement(using: &random) ?? 0 }
    func flag() -> Bool { Bool.random(using: &random) }
    switch Int.random(in: 0..<17, using: &random) {
    case 0:
      return .devices(
        flag() ? [Face.kitchen, Face.sofa, Face.kitchen] : [], isSearching: flag(),
        problems: flag() ? ["x"] : [])
    case 1, 2: return .session(session(&random))
    case 3:
      return .receiverStatus(
        flag() ? nil : Face.receiver(level: 0.3, muted: flag(), control: flag() ? "fixed" : "odd"))
    case 4: return .application(nil)
    case 5, 6:
      return .mediaStatus(
        flag() && flag() ? nil : status(&random),
        age: .seconds(Int.random(in: -9...9_000_000_000_000, using: &random)))
    case 7: return .queuePlace(QueuePlace(index: flag() ? .max : nil, count: flag() ? .min : 3))
    case 8: return .upNext(flag() ? UpNextItem(title: "t") : nil)
    case 9: return .foreignAction(flag() ? .paused : .loaded(status(&random)))
    case 10: return .introductionClaimed(isFirst: flag())
    case 11: return .artwork(.castDialog, flag() ? Image(url: "http://h/one.png") : nil, .ready)
    case 12: return .timerFired
    case 14: return .multizone(multizone(&random))
    case 13: return flag() ? .finished(IntentID(step / 2), nil) : .superseded(IntentID(step - 1))
    default:
      let time = MediaTime(seconds: number())
      let intents: [PresentationIntent] = [
        .pressCastButton, .closeChooser, .dismissIntroduction,
        .chooseDevice(flag() ? Face.kitchen.presentedID : "?"),
        .cancelConnecting, .reconnect, .disconnect, .stopCasting, .openExpandedController,
        .closeExpandedController,
        .setMiniControllerEnabled(flag()), .waitForNext, .dismissNotice(step), .play, .pause, .togglePlayback,
        .stop,
        .seek(to: time), .skip(by: time), .seekToLiveEdge, .skipToNext, .skipToPrevious, .skipAd,
        .setPlaybackRate(number()), .setRepeatMode(.all), .cycleRepeatMode, .setShuffled(flag()),
        .setStreamMuted(flag()),
        .setStreamVolume(number()), .selectAudioTrack(flag() ? 1 : nil), .selectTextTrack(flag() ? 2 : nil),
        .toggleCaptions, .setTextTrackStyle(MediaTextTrackStyle()), .setDeviceVolume(number()),
        .stepDeviceVolume(flag() ? .max : .min), .pressVolumeKey(1), .setDeviceMuted(flag()), .custom("x"),
        .transfer(to: flag() ? Face.sofa.presentedID : "?"),
        .setMemberVolume(number(), of: flag() ? "a" : "b"),
        .setMemberMuted(flag(), of: "a"),
      ]
      return .intent(intents.randomElement(using: &random) ?? .stop, IntentID(step))
    }
  }

  private static func session(_ random: inout SeededGenerator) -> PresentedSession? {
    let phases: [SessionPhase?] = [
      nil, .connecting(.reaching), .connecting(.waitingForConsent), .connected, .connected, .connected,
      .moving,
      .suspended(reason: nil, nextAttempt: .seconds(-3)),
      .suspended(reason: "r", nextAttempt: .seconds(9_000_000_000_000)),
      .ended(nil), .ended(CastError(.applicationReplaced, "taken")), .ended(CastError(.timeout, "late")),
    ]
    let phase = phases.randomElement(using: &random) ?? nil
    return phase.map {
      PresentedSession(device: Bool.random(using: &random) ? Face.kitchen : Face.sofa, phase: $0)
    }
  }

  private static func multizone(_ random: inout SeededGenerator) -> MultizoneEvent {
    let level = numbers.randomElement(using: &random) ?? 0
    let member = MultizoneDevice(json: ["deviceId": "a", "volume": ["level": .number(level)]])
    switch (Int.random(in: 0..<4, using: &random), member) {
    case (0, let member?): return .deviceAdded(member)
    case (1, let member?): return .deviceUpdated(member)
    case (2, _): return .deviceRemoved(deviceID: "b")
    default:
      guard let group = MultizoneStatus(json: ["isMultichannel": .bool(level > 0)]) else {
        return .playbackSessionUpdated([:])
      }
      return .status(group)
    }
  }

  private static func status(_ random: inout SeededGenerator) -> MediaStatus {
    func number() -> Double { numbers.randomElement(using: &random) ?? 0 }
    func flag() -> Bool { Bool.random(using: &random) }
    return Face.status { status in
      status.playerState =
        [.idle, .playing, .paused, .buffering, .loading, .unknown("X")].randomElement(using: &random) ?? .idle
      status.idleReason = flag() ? .error : nil
      status.streamPosition = flag() ? MediaTime(seconds: number()) : nil
      status.playbackRate = number()
      status.supportedMediaCommands = MediaCommand(rawValue: Int.random(in: 0...Int.max, using: &random))
      status.loadingItemID = flag() ? MediaQueueItemID(3) : nil
      status.activeTrackIDs = flag() ? [1, 1, 2, .min] : nil
      status.volume = Volume(level: number(), isMuted: flag())
      status.mediaInformation?.streamDuration = flag() ? MediaTime(seconds: number()) : nil
      status.mediaInformation?.streamType = flag() ? .live : .buffered
      if flag() {
        status.liveSeekableRange = MediaLiveSeekableRange(
          startTime: MediaTime(seconds: number()), endTime: MediaTime(seconds: number()))
      }
      if flag() {
        status.adBreakStatus = AdBreakStatus(
          breakIdentifier: "b", clipIdentifier: "c", currentClipTime: MediaTime(seconds: number()),
          whenSkippable: flag() ? MediaTime(seconds: number()) : nil, numberBreakClips: flag() ? .max : nil)
      }
      if flag() { status.mediaInformation = nil }
    }
  }
}
