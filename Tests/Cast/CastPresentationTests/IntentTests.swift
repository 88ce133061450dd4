import CastPresentation
import CastProtocol
import Testing

/// What may be pressed, what it leads to, and its outcome.
@Suite struct IntentTests {
  @Test(
    "a requested value counts as done for 300 ms, then the receiver's is shown, and the request as pending")
  func optimism() {
    var face = Face.playing()
    #expect(face.want(.pause) == .pause)
    #expect(face.media.playbackState == .paused && face.media.control(.playPauseToggle).isPending)
    #expect(face.actions.contains(.startTimer(.milliseconds(300))))
    face.pass(.milliseconds(300))
    face.learn(.timerFired)
    #expect(face.media.playbackState == .playing && face.media.control(.playPauseToggle).isPending)
    face.learn(.mediaStatus(Face.status { $0.playerState = .paused }))
    face.learn(.finished(face.id, nil))
    #expect(face.media.playbackState == .paused && !face.media.control(.playPauseToggle).isPending)
    #expect(face.outcome == .done)
  }

  @Test("fast presses add up: positions and volumes count from the newest request")
  func addsUp() {
    var face = Face.playing()
    #expect(face.want(.skip(by: 30)) == .seek(to: 130))
    #expect(face.want(.skip(by: 30)) == .seek(to: 160))
    #expect(face.media.pendingPosition == 160 && face.media.streamPosition == 160)
    #expect(face.want(.skip(by: -500)) == .seek(to: 0))
    #expect(face.want(.seek(to: 9999)) == .seek(to: 600))
    #expect(face.want(.stepDeviceVolume(1)) == .setDeviceVolume(0.6))
    guard case .setDeviceVolume(let level, _)? = face.want(.stepDeviceVolume(2)) else { return }
    #expect(abs(level - 0.8) < 0.001)
    face.learn(.superseded(IntentID(1)))
    #expect(face.shot.record(of: IntentID(1))?.outcome == .superseded)
  }

  @Test("a position that is unknown leaves the offset to the receiver")
  func unknownPosition() {
    var face = Face.playing { _ in
    } _: {
      $0.streamPosition = nil
    }
    #expect(face.want(.skip(by: -10)) == .skip(by: -10))
  }

  @Test("numbers that are none are refused in words", arguments: [Double.nan, .infinity, -.infinity])
  func refusesNoNumbers(number: Double) {
    var face = Face.playing()
    #expect(face.want(.seek(to: MediaTime(seconds: number))) == nil)
    #expect(face.want(.skip(by: MediaTime(seconds: number))) == nil)
    #expect(face.want(.setPlaybackRate(number)) == nil)
    #expect(face.shot.notices.count >= 2)
    #expect(face.want(.setDeviceVolume(number)) == nil && face.want(.setStreamVolume(number)) == nil)
    #expect(face.shot.notices.last?.message == "a volume is 0 to 1")
    #expect(face.want(.setDeviceVolume(7)) == .setDeviceVolume(1))
  }

  @Test("what the application does not support is refused, and its button is disabled")
  func unsupported() {
    var face = Face.playing { _ in
    } _: {
      $0.supportedMediaCommands = .setVolume
    }
    #expect(!face.media.canPause && !face.media.canSeek && !face.media.canSelectTracks && face.media.canStop)
    #expect(
      face.media.control(.forward(seconds: 10)).explanation
        == "the application cannot seek: use an application that can")
    #expect(face.media.control(.stop).explanation == nil)
    #expect(!face.media.control(.forward(seconds: 10)).isEnabled && !face.media.control(.skipNext).isEnabled)
    #expect(face.want(.pause) == nil && face.want(.seek(to: 1)) == nil && face.want(.skipToNext) == nil)
    #expect(face.shot.notices.map(\.message).first == "the application cannot pause")
    #expect(face.media.canSetStreamVolume && !face.media.canMuteStream)
    face.learn(.mediaStatus(Face.status { $0.supportedMediaCommands = [] }))
    #expect(face.media.canPause && face.media.canSeek, "not reported yet: everything may be tried")
  }

  @Test("without media, without a session and while it is suspended nothing of the media may be pressed")
  func nothingToControl() {
    var face = Face()
    #expect(face.want(.play) == nil)
    #expect(face.shot.notices.last?.nextStep == "choose a device first")
    face = Face.connected()
    #expect(face.want(.play) == nil)
    #expect(face.shot.notices.last?.nextStep == "load media first")
    face = Face.playing()
    face.session(.suspended(reason: "cable", nextAttempt: .seconds(4)))
    #expect(face.want(.pause) == nil && face.want(.setDeviceVolume(0.1)) == nil)
    #expect(face.media.title == "Film", "it is still shown")
    guard case .connected(let device) = face.shot.deviceChooser.face else { return }
    #expect(device.isSuspended && device.suspensionText == "cable, next attempt in 4 s")
    face.pass(.seconds(3))
    guard case .connected(let later) = face.shot.deviceChooser.face else { return }
    #expect(later.suspensionText == "cable, next attempt in 1 s")
    #expect(face.want(.reconnect) == .reconnect)
  }

  @Test("an intent with the number of a pending one is ignored, and too many are refused")
  func bounded() {
    var face = Face.playing()
    face.learn(.intent(.play, IntentID(1)))
    #expect(face.learn(.intent(.stop, IntentID(1))).isEmpty)
    for number in 2...300 { face.learn(.intent(.stop, IntentID(number))) }
    let sent = face.actions.filter { if case .perform = $0 { true } else { false } }
    #expect(sent.count == PresentationMachine.pendingLimit)
    #expect(face.shot.intents.count == PresentationMachine.recordLimit)
    #expect(face.shot.notices.count == 1, "the same words once")
    #expect(face.shot.intents.filter(\.isPending).count == PresentationMachine.pendingLimit)
  }

  @Test("what was pending ends as failed, done or superseded, and what a person aborted needs no notice")
  func outcomes() {
    var face = Face { $0.introduction = nil }
    face.find(Face.kitchen)
    face.want(.chooseDevice(Face.kitchen.presentedID))
    let choice = face.id
    face.session(.connecting(.launching))
    #expect(face.want(.cancelConnecting) == .cancelConnecting)
    let cancelled = CastError(.cancelled, "ended")
    face.session(.ended(cancelled))
    face.learn(.finished(choice, PresentationFailure(cancelled)))
    face.learn(.finished(face.id, nil))
    #expect(face.shot.notices.isEmpty && face.shot.deviceChooser.failure == nil)
    #expect(face.want(.cancelConnecting) == nil && face.outcome != .done)
  }

  @Test("the last known position stays when the session ends, until the next one begins")
  func lastKnown() {
    var face = Face.playing()
    face.pass(.seconds(7))
    face.session(.ended(CastError(.networkError, "the cable")))
    #expect(face.media.lastKnown?.streamPosition == 107 && face.media.lastKnown?.title == "Film")
    #expect(face.media.lastKnown?.deviceName == "Kitchen" && face.media.playbackState == .none)
    face.session(.connecting(.reaching))
    #expect(face.media.lastKnown == nil)
  }

  @Test(
    "casting that begins opens the expanded controller, where the program wants that",
    arguments: [true, false])
  func opensByItself(wanted: Bool) {
    var face = Face.playing { $0.opensExpandedControllerAutomatically = wanted }
    #expect(face.shot.expandedController.isOpen == wanted)
    face.want(.closeExpandedController)
    face.learn(.mediaStatus(Face.status()))
    #expect(!face.shot.expandedController.isOpen, "only when it begins")
    face.want(.openExpandedController)
    face.learn(.mediaStatus(nil))
    #expect(!face.shot.expandedController.isOpen)
  }

  @Test(
    "what plays on after a lost connection opens nothing: casting has not begun anew",
    arguments: [true, false])
  func reconnects(isForgotten: Bool) throws {
    var face = Face.playing { $0.opensExpandedControllerAutomatically = true }
    face.want(.closeExpandedController)
    face.session(.suspended(reason: nil, nextAttempt: nil))
    // Until the receiver has answered, nothing may be known of what it plays.
    if isForgotten { face.learn(.mediaStatus(nil)) }
    face.session(.connected)
    face.learn(.mediaStatus(Face.status()))
    #expect(face.media.hasMedia && !face.shot.expandedController.isOpen)
    face.learn(.mediaStatus(nil))
    face.learn(.mediaStatus(Face.status()))
    #expect(face.shot.expandedController.isOpen, "it was ended and begins")
  }

  @Test("up to four buttons, each with its state")
  func buttons() {
    let face = Face.playing {
      $0.expandedControllerButtons = [
        .none, .muteToggle, .custom("Lights"), .closedCaptions, .skipNext,
      ]
    }
    let controls = face.shot.expandedController.controls
    #expect(controls.map(\.label) == ["", "Mute", "Lights", "Show subtitles"])
    #expect(controls.map(\.isEnabled) == [false, true, true, false])
    #expect(controls[2].intent == .custom("Lights") && controls[1].intent == .setStreamMuted(true))
    var pressed = face
    #expect(pressed.want(.custom("Lights")) == .custom("Lights"))
  }

  @Test(
    "controls are disabled while a request is in flight, where the program wants that",
    arguments: [true, false])
  func disables(wanted: Bool) {
    var face = Face.playing { $0.disablesControlsWhilePending = wanted }
    face.want(.pause)
    #expect(face.media.canStop != wanted)
    face.learn(.finished(face.id, nil))
    #expect(face.media.canStop)
  }

  @Test(
    "a device that is chosen while another one is cast to is connected; the one that is connected needs nothing"
  )
  func switches() {
    var face = Face.connected()
    #expect(face.want(.chooseDevice(Face.sofa.presentedID)) == .connect(Face.sofa))
    #expect(face.want(.chooseDevice(Face.kitchen.presentedID)) == nil && face.outcome == .done)
  }

  @Test("positions wake the timer once a second while something plays, and never otherwise")
  func timer() {
    var face = Face.playing()
    #expect(face.actions.last == .startTimer(.seconds(1)))
    face.pass(.seconds(1))
    #expect(face.learn(.timerFired) == [.startTimer(.seconds(1))])
    #expect(face.media.streamPosition == 101)
    #expect(face.learn(.mediaStatus(Face.status { $0.playerState = .paused })) == [.stopTimer])
    let still = Face.playing { $0.positionInterval = nil }
    #expect(!still.actions.contains { if case .startTimer = $0 { true } else { false } })
  }

  @Test("the mini controller has the button that the program chose, and can be disabled from the start")
  func miniOptions() {
    let face = Face.playing {
      $0.miniControllerButton = .stop
      $0.isMiniControllerEnabled = false
    }
    #expect(
      face.shot.miniController.control.label == "Stop" && face.shot.miniController.control.intent == .stop)
    #expect(face.shot.miniController.isActive && !face.shot.miniController.isVisible)
  }

  @Test("how long a request counts as done, and when the next item is shown, can be chosen")
  func times() {
    var face = Face.playing {
      $0.optimism = .seconds(2)
      $0.upNextLead = .seconds(400)
    }
    face.want(.setStreamMuted(true))
    face.pass(.milliseconds(1900))
    #expect(face.media.isStreamMuted)
    face.pass(.milliseconds(100))
    #expect(!face.media.isStreamMuted)
    face.learn(.upNext(UpNextItem(title: "Next")))
    #expect(face.shot.expandedController.upNext == nil)
    face.pass(.seconds(98))
    #expect(face.shot.expandedController.upNext?.secondsLeft == 400)
  }
}
