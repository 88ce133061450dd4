import CastPresentation
import CastProtocol
import Testing

/// Google's design checklist for senders, row by row, as far as models decide it.
@Suite struct ChecklistTests {
  @Test("1: the Cast button is there without devices too, and its help is never hidden")
  func buttonIsThere() {
    var face = Face()
    #expect(face.shot.castButton.state == .noDevices)
    #expect(face.shot.castButton.explanation == "Devices are not being looked for")
    face.find()
    #expect(face.shot.castButton.explanation == "No Cast device has answered on this network")
    face.find(problems: ["no network interface is up"])
    #expect(face.shot.castButton.explanation == "no network interface is up")
    face.learn(.introductionClaimed(isFirst: false))
    face.want(.pressCastButton)
    face.learn(.introductionClaimed(isFirst: false))
    #expect(face.shot.deviceChooser.isOpen)
    guard case .noneFound(let none) = face.shot.deviceChooser.face else {
      Issue.record("\(face.shot.deviceChooser.face)")
      return
    }
    #expect(none.reason == "no network interface is up" && none.nextSteps.count == 2)
  }

  @Test(
    "2: disconnected, connecting, connected and suspended differ, and say the device",
    arguments: [
      (SessionPhase.connecting(.reaching), CastButtonModel.State.connecting, true, false),
      (.connecting(.waitingForConsent), .connecting, true, false), (.connected, .connected, false, true),
      (.suspended(reason: nil, nextAttempt: nil), .suspended, true, true),
      (.ended(nil), .notConnected, false, false),
    ])
  func buttonStates(phase: SessionPhase, state: CastButtonModel.State, moves: Bool, isFilled: Bool) {
    var face = Face()
    face.find(Face.kitchen)
    #expect(face.shot.castButton.state == .notConnected && face.shot.castButton.label == "Cast")
    face.session(phase)
    let button = face.shot.castButton
    #expect(button.state == state && button.isMoving == moves && button.isFilled == isFilled)
    #expect(button.label.contains("Kitchen") == (state != .notConnected))
    #expect(button.explanation == nil)
  }

  @Test("3: the introduction is shown once ever, when a device is first available, and can be dismissed")
  func introducesOnce() {
    var face = Face()
    #expect(!face.shot.introduction.isVisible && face.shot.castButton.press == .introduction)
    face.find()
    #expect(face.actions.isEmpty)
    face.find(Face.kitchen)
    #expect(face.actions == [.claimIntroduction])
    face.learn(.introductionClaimed(isFirst: true))
    #expect(face.shot.introduction.isVisible)
    face.want(.dismissIntroduction)
    #expect(!face.shot.introduction.isVisible)
    face.find()
    face.find(Face.sofa)
    #expect(face.actions == [.claimIntroduction])

    var second = Face()
    second.find(Face.kitchen)
    second.learn(.introductionClaimed(isFirst: false))
    #expect(!second.shot.introduction.isVisible)
    var without = Face { $0.introduction = nil }
    without.find(Face.kitchen)
    #expect(without.actions.isEmpty && without.shot.castButton.press == .chooser)
  }

  @Test("3: text and places of the introduction can be set")
  func introductionIsConfigured() {
    let face = Face {
      $0.introduction?.title = "Here"
      $0.introduction?.titlePosition = IntroductionOptions.Position(x: 2, y: .nan)
      $0.introduction?.dismissText = "Yes"
    }
    let options = face.shot.introduction.options
    #expect(options.title == "Here" && options.dismissText == "Yes")
    #expect(options.titlePosition == IntroductionOptions.Position(x: 1, y: 0))
  }

  @Test(
    "4: the button opens the chooser, or first the introduction that nobody has seen",
    arguments: [true, false])
  func opensChooser(isFirst: Bool) {
    var face = Face()
    face.find()
    face.want(.pressCastButton)
    #expect(face.actions == [.claimIntroduction] && !face.shot.deviceChooser.isOpen)
    face.learn(.introductionClaimed(isFirst: isFirst))
    #expect(face.shot.introduction.isVisible == isFirst)
    if isFirst { face.want(.pressCastButton) }
    #expect(!face.shot.introduction.isVisible && face.shot.deviceChooser.isOpen)
    #expect(face.actions == [.claimIntroduction, .showDeviceList(true)])
    face.want(.closeChooser)
    #expect(face.actions.last == .showDeviceList(false) && !face.shot.deviceChooser.isOpen)
  }

  @Test("5: not connected: “Cast to”, in the order of the names, busy ones with what they run")
  func listsDevices() {
    var face = Face()
    face.find(
      Face.sofa, Face.device("kitchen"), Face.device("Attic", activity: "Now Casting: Radio"), Face.sofa,
      Device(endpoint: DeviceEndpoint(host: "10.0.0.9", port: 8009)))
    #expect(face.shot.deviceChooser.title == "Cast to")
    guard case .devices(let rows) = face.shot.deviceChooser.face else {
      Issue.record("no list")
      return
    }
    #expect(rows.map(\.name) == ["10.0.0.9:8009", "Attic", "kitchen", "Sofa"])
    #expect(rows.map(\.activity) == [nil, "Now Casting: Radio", nil, "Casting YouTube"])
  }

  @Test("5: choosing connects, and every step is said")
  func connects() {
    var face = Face { $0.introduction = nil }
    face.find(Face.kitchen)
    face.want(.pressCastButton)
    #expect(face.want(.chooseDevice(Face.kitchen.presentedID)) == .connect(Face.kitchen))
    #expect(face.outcome == .pending)
    var texts: [String] = []
    for step in ConnectingStep.allCases {
      face.session(.connecting(step))
      guard case .connecting(let progress) = face.shot.deviceChooser.face else { continue }
      texts.append(progress.text)
    }
    #expect(Set(texts).count == 3 && texts.allSatisfy { $0.contains("Kitchen") })
    #expect(face.shot.deviceChooser.isOpen)
    face.session(.connected)
    face.learn(.finished(face.id, nil))
    #expect(!face.shot.deviceChooser.isOpen && face.outcome == .done)
    #expect(face.want(.chooseDevice("nobody")) == nil)
    #expect(face.want(.chooseDevice(Face.kitchen.presentedID)) == nil && face.outcome == .done)
  }

  @Test("6: connected and idle: the device, its volume, and stopping")
  func connectedAndIdle() {
    var face = Face.connected()
    face.want(.pressCastButton)
    guard case .connected(let device) = face.shot.deviceChooser.face else {
      Issue.record("not connected")
      return
    }
    #expect(device.deviceName == "Kitchen" && device.volume.level == 0.5 && device.playbackControl == nil)
    #expect(face.want(device.stopIntent) == .stopCasting)
    guard case .connected(let stopping) = face.shot.deviceChooser.face else { return }
    #expect(stopping.isStopPending && !stopping.isDisconnectPending)
  }

  @Test(
    "7: casting: title, studio, artwork, play or pause, volume, stop; it leads to the expanded controller")
  func connectedAndPlaying() {
    var face = Face.playing()
    face.want(.pressCastButton)
    guard case .connected(let device) = face.shot.deviceChooser.face else { return }
    #expect(
      device.title == "Film" && device.subtitle == "Studio" && device.artwork?.image.url == "http://h/one.png"
    )
    #expect(device.playbackControl?.label == "Pause" && device.playbackControl?.isEnabled == true)
    face.want(.openExpandedController)
    #expect(face.shot.expandedController.isOpen && !face.shot.deviceChooser.isOpen)
  }

  @Test("8: another's takeover ends the session, and says so")
  func takenOver() {
    var face = Face.playing()
    var error = CastError(.applicationReplaced, "another application runs")
    error.takenOverBy = "YouTube"
    face.session(.ended(error))
    #expect(face.shot.castButton.state == .notConnected)
    #expect(face.shot.notices.map(\.kind) == [.takenOver])
    #expect(face.shot.notices.first?.message == "“YouTube” has taken Kitchen")
    #expect(face.shot.notices.first?.nextStep == "cast again to take it back")
    face.want(.dismissNotice(face.shot.notices[0].id))
    #expect(face.shot.notices.isEmpty)
  }

  @Test("9: the controls are in step with the receiver when somebody else acts, which is said")
  func followsOthers() {
    var face = Face.playing()
    face.learn(.foreignAction(.paused))
    face.learn(.mediaStatus(Face.status { $0.playerState = .paused }))
    #expect(face.media.playbackState == .paused && face.media.control(.playPauseToggle).label == "Play")
    face.learn(.receiverStatus(Face.receiver(level: 0.2, muted: true)))
    #expect(face.shot.deviceVolume.level == 0.2 && face.shot.deviceVolume.isMuted)
    #expect(face.shot.notices.map(\.kind) == [.changedByOthers])
    #expect(face.shot.notices[0].message.contains("Kitchen"))
  }

  @Test("10: the volume is in step after connecting, without a level of ours; a configured one is shown")
  func volumeFollows() {
    var face = Face { $0.configuredVolume = 0.3 }
    face.find(Face.kitchen)
    face.session(.connected)
    #expect(face.shot.deviceVolume.level == nil)
    face.learn(.receiverStatus(Face.receiver(level: 0.7)))
    #expect(face.shot.deviceVolume.level == 0.7 && face.shot.deviceVolume.configuredLevel == 0.3)
    #expect(!face.actions.contains { if case .perform = $0 { true } else { false } })
    #expect(Face.connected().shot.deviceVolume.configuredLevel == nil)
  }

  @Test("11: expanded: title, artwork, loading, state, elapsed and total; a live stream has neither time")
  func expanded() {
    var face = Face.playing()
    face.want(.openExpandedController)
    var model = face.shot.expandedController
    #expect(model.title == "Film" && model.artwork != nil && model.status == "Casting to Kitchen")
    #expect(model.elapsed == 100 && model.total == 600 && model.showsSeekBar && model.isSeekBarEnabled)
    face.learn(.mediaStatus(Face.status { $0.playerState = .buffering }))
    #expect(face.shot.expandedController.status == "Buffering…" && face.media.isLoading)
    face.learn(.mediaStatus(Face.status(PermissionSample.live)))
    model = face.shot.expandedController
    #expect(model.elapsed == nil && model.total == nil && !model.showsSeekBar)
    face.learn(.mediaStatus(Face.status { $0.mediaInformation?.streamDuration = nil }))
    model = face.shot.expandedController
    #expect(model.elapsed == 100 && model.total == nil)
    face.want(.closeExpandedController)
    #expect(!face.shot.expandedController.isOpen)
  }

  @Test("12: the mini controller is seen whenever something is cast and the expanded one is not open")
  func mini() {
    var face = Face.connected()
    #expect(!face.shot.miniController.isVisible)
    #expect(face.want(.openExpandedController) == nil && face.outcome != .done)
    face.learn(.mediaStatus(Face.status()))
    #expect(face.shot.miniController.isVisible && face.shot.miniController.control.label == "Pause")
    #expect(face.shot.miniController.title == "Film" && face.shot.miniController.subtitle == "Part one")
    face.want(face.shot.miniController.intent)
    #expect(face.shot.expandedController.isOpen && !face.shot.miniController.isActive)
    face.want(.closeExpandedController)
    face.want(.setMiniControllerEnabled(false))
    #expect(face.shot.miniController.isActive && !face.shot.miniController.isVisible)
    face.want(.setMiniControllerEnabled(true))
    face.session(.ended(nil))
    #expect(!face.shot.miniController.isActive)
  }

  @Test("12: a live stream is stopped in place of paused")
  func stopsLive() {
    var face = Face.playing { _ in
    } _: {
      PermissionSample.live(&$0)
    }
    #expect(face.shot.miniController.control.label == "Stop" && face.media.playbackAction == .stop)
    #expect(face.want(.togglePlayback) == .stop)
  }

  @Test("13: what is next is shown at least 30 s before the end: wait, play now, stop")
  func upNext() {
    var face = Face.playing()
    face.learn(.upNext(UpNextItem(title: "Next film")))
    #expect(face.shot.expandedController.upNext == nil)
    face.pass(.seconds(470))
    let next = face.shot.expandedController.upNext
    #expect(next?.item.title == "Next film" && next?.secondsLeft == 30)
    if let next {
      #expect(face.want(next.playNowIntent) == .skipToNext)
      #expect(face.want(next.stopIntent) == .stop)
      face.want(next.waitIntent)
    }
    #expect(face.shot.expandedController.upNext == nil)
    face.learn(.mediaStatus(Face.status { $0.currentItemID = MediaQueueItemID(2) }))
    face.pass(.seconds(490))
    #expect(face.shot.expandedController.upNext?.secondsLeft == 10)
  }

  @Test("13: the next item of the receiver's own queue is shown too")
  func upNextOfReceiver() {
    var item = MediaQueueItem(mediaInformation: Face.film { $0.metadata?.title = "Second" })
    item.itemID = MediaQueueItemID(2)
    var first = MediaQueueItem(mediaInformation: nil)
    first.itemID = MediaQueueItemID(1)
    let items = [first, item]
    var face = Face.playing { _ in
    } _: { status in
      status.queueItems = items
      status.streamPosition = 560
    }
    #expect(face.shot.expandedController.upNext?.item.title == "Second")
    face.learn(.queuePlace(QueuePlace(index: 0, count: 2)))
    #expect(face.media.queuePlace == QueuePlace(index: 0, count: 2))
    var repeated = Face.status()
    repeated.queueItems = items
    repeated.streamPosition = 560
    repeated.queueRepeatMode = .single
    face.learn(.mediaStatus(repeated))
    #expect(face.shot.expandedController.upNext == nil, "the current one is repeated")
  }

  @Test("15: a face that comes back shows the running session at once; stopping and leaving are two acts")
  func comesBack() {
    var face = Face()
    face.session(.connected)
    face.learn(.mediaStatus(Face.status(), age: .seconds(5)))
    #expect(face.shot.castButton.state == .connected && face.media.title == "Film")
    #expect(face.media.streamPosition == 105)
    #expect(face.want(.disconnect) == .disconnect)
    #expect(face.want(.stopCasting) == .stopCasting)
  }

  @Test("16: an error is a notice in words, with a next step")
  func errors() {
    var face = Face.playing()
    face.want(.pause)
    face.learn(.finished(face.id, PresentationFailure(CastError(.timeout, "no answer to PAUSE"))))
    guard case .failed(let failure) = face.outcome else {
      Issue.record("\(String(describing: face.outcome))")
      return
    }
    #expect(failure.code == "timeout" && failure.line.hasPrefix("no answer to PAUSE: check what the device"))
    #expect(face.shot.notices.map(\.message) == ["no answer to PAUSE"])
    #expect(face.shot.notices.allSatisfy { !$0.nextStep.isEmpty })
  }

  @Test(
    "16: a failed attempt to connect stays in the chooser, once, whichever news comes first",
    arguments: [true, false])
  func connectErrors(sessionFirst: Bool) {
    var face = Face { $0.introduction = nil }
    face.find(Face.kitchen)
    face.want(.pressCastButton)
    face.want(.chooseDevice(Face.kitchen.presentedID))
    face.session(.connecting(.reaching))
    let error = CastError(.connectionRefused, "Kitchen refuses connections")
    if sessionFirst { face.session(.ended(error)) }
    face.learn(.finished(face.id, PresentationFailure(error)))
    if !sessionFirst { face.session(.ended(error)) }
    #expect(face.shot.deviceChooser.isOpen)
    #expect(face.shot.deviceChooser.failure?.message == "Kitchen refuses connections")
    #expect(face.shot.notices.count == 1)
    face.want(.chooseDevice(Face.kitchen.presentedID))
    #expect(face.shot.deviceChooser.failure == nil)
  }
}
