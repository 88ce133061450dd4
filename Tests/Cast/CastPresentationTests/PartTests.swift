import CastPresentation
import CastProtocol
import Testing

/// The parts of their own: speed, volume, tracks, ads, artwork.
@Suite struct PartTests {
  @Test(
    "speed: normal for 1, half below, double above; it sets 0.5, 1 and 2",
    arguments: [(1, 1), (0.75, 0.5), (0.5, 0.5), (1.25, 2), (2, 2)])
  func rate(rate: Double, choice: Double) {
    var face = Face.playing { _ in
    } _: {
      $0.playbackRate = rate
    }
    #expect(face.shot.playbackRate.choice.rate == choice && face.shot.playbackRate.isInputEnabled)
    #expect(face.want(face.shot.playbackRate.intent(for: .double)) == .setPlaybackRate(2))
    #expect(face.shot.playbackRate.isPending && face.shot.playbackRate.choice == .double)
    #expect(face.want(.setPlaybackRate(17)) == .setPlaybackRate(2))
    face.learn(.mediaStatus(Face.status(PermissionSample.live)))
    #expect(!face.shot.playbackRate.isInputEnabled && face.want(.setPlaybackRate(1)) == nil)
  }

  @Test("a fixed volume is said, not tried")
  func fixedVolume() {
    var face = Face.connected()
    face.learn(.receiverStatus(Face.receiver(control: "fixed")))
    let volume = face.shot.deviceVolume
    #expect(volume.isFixed && !volume.isInputEnabled)
    #expect(volume.explanation == "the volume of Kitchen is fixed: change it on the speaker or amplifier")
    #expect(face.want(.setDeviceVolume(0.2)) == nil && face.want(.setDeviceMuted(true)) == nil)
    #expect(face.want(.stepDeviceVolume(1)) == nil)
  }

  @Test("the volume keys obey the option; the slider always does", arguments: [true, false])
  func volumeKeys(drive: Bool) {
    var face = Face.connected { $0.volumeControlsDriveDevice = drive }
    #expect(face.shot.deviceVolume.obeysVolumeKeys == drive)
    #expect((face.want(.pressVolumeKey(1)) != nil) == drive)
    #expect(face.shot.notices.isEmpty)
    #expect(face.want(.setDeviceVolume(0.2)) == .setDeviceVolume(0.2))
  }

  @Test("turning up a muted device unmutes it; the device's step counts, else 0.05")
  func steps() {
    var face = Face.connected()
    face.learn(.receiverStatus(Face.receiver(level: 0.5, muted: true)))
    #expect(face.want(.stepDeviceVolume(1)) == .setDeviceVolume(0.6, unmuting: true))
    #expect(face.shot.deviceVolume.step == 0.1 && !face.shot.deviceVolume.isMuted)
    face.learn(.receiverStatus(ReceiverStatus(json: ["volume": ["level": 0.5]])))
    #expect(face.shot.deviceVolume.step == 0.05)
    face.pass(.seconds(1))
    face.learn(.receiverStatus(nil))
    #expect(face.shot.deviceVolume.level == nil)
  }

  @Test("echoes of older volumes are not shown for 500 ms after a request and after its outcome")
  func echoes() {
    var face = Face.connected()
    face.want(.setDeviceVolume(0.2))
    face.want(.setDeviceVolume(0.8))
    face.pass(.milliseconds(400))
    face.learn(.receiverStatus(Face.receiver(level: 0.2)))
    #expect(face.shot.deviceVolume.level == 0.8 && face.shot.deviceVolume.isPending)
    face.learn(.superseded(IntentID(1)))
    face.learn(.receiverStatus(Face.receiver(level: 0.799_999)))
    face.learn(.finished(face.id, nil))
    #expect(face.shot.deviceVolume.level == 0.799_999, "the device's own, with its noise")
    face.learn(.receiverStatus(Face.receiver(level: 0.2)))
    #expect(face.shot.deviceVolume.level == 0.8)
    #expect(face.want(.stepDeviceVolume(1)).flatMap(Self.level).map { abs($0 - 0.9) < 0.001 } == true)
    face.learn(.finished(face.id, PresentationFailure("no", nextStep: "")))
    #expect(face.shot.deviceVolume.level == 0.2, "a failure shows what the device says")
  }

  @Test("what the device still reports 500 ms after a request counts, and wakes the timer")
  func echoesEnd() {
    var face = Face.connected()
    face.want(.setDeviceMuted(true))
    face.learn(.receiverStatus(Face.receiver(muted: true)))
    face.learn(.finished(face.id, nil))
    face.learn(.receiverStatus(Face.receiver(level: 0.3, muted: false)))
    #expect(face.shot.deviceVolume.isMuted && face.shot.deviceVolume.level == 0.3)
    #expect(face.actions.last == .startTimer(.milliseconds(300)))
    face.pass(.milliseconds(300))
    #expect(face.learn(.timerFired) == [.startTimer(.milliseconds(200))])
    face.pass(.milliseconds(200))
    face.learn(.timerFired)
    #expect(!face.shot.deviceVolume.isMuted)
  }

  private static func level(_ command: PresentationCommand) -> Double? {
    if case .setDeviceVolume(let level, _) = command { level } else { nil }
  }

  private static func tracks(_ status: inout MediaStatus) {
    status.mediaInformation?.mediaTracks = [
      MediaTrack(identifier: 1, kind: .audio, languageCode: "en", name: "English"),
      MediaTrack(identifier: 2, kind: .audio, languageCode: "de-CH"),
      MediaTrack(identifier: 3, kind: .text, textSubtype: .subtitles, languageCode: "fr"),
      MediaTrack(identifier: 4, kind: .text, textSubtype: .captions, name: "CC"),
      MediaTrack(identifier: 5, kind: .text, textSubtype: .chapters),
      MediaTrack(identifier: 6, kind: .video),
    ]
    status.activeTrackIDs = [1, 6]
  }

  @Test("tracks: audio and text by name and language, off, and the others stay as they are")
  func tracks() {
    var face = Face.playing { _ in
    } _: {
      Self.tracks(&$0)
    }
    let model = face.shot.trackChooser
    #expect(model.audio.map(\.label) == ["English (en)", "de-CH"] && model.hasChoices)
    #expect(model.audio.map(\.isSelected) == [true, false])
    #expect(
      model.text.map(\.label) == ["Off", "fr", "CC"] && model.text.map(\.isSelected) == [true, false, false])
    #expect(face.want(.selectAudioTrack(2)) == .setActiveTracks([6, 2]))
    #expect(face.want(.selectTextTrack(4)) == .setActiveTracks([1, 6, 4]))
    #expect(face.want(.toggleCaptions) == .setActiveTracks([1, 6, 3]))
    #expect(face.want(.selectTextTrack(5)) == nil && face.want(.selectAudioTrack(3)) == nil)
    face.learn(
      .mediaStatus(
        Face.status {
          Self.tracks(&$0)
          $0.activeTrackIDs = [1, 3]
        }))
    #expect(face.media.control(.closedCaptions).isOn)
    #expect(face.want(.toggleCaptions) == .setActiveTracks([1]))
    #expect(face.want(.setTextTrackStyle(MediaTextTrackStyle())) != nil && face.shot.trackChooser.isPending)
    #expect(Face.playing().shot.trackChooser.text.isEmpty)
  }

  private static func ad(_ status: inout MediaStatus) {
    var clip = AdBreakClipInfo(identifier: "c2")
    clip.title = "Soap"
    clip.posterURL = "http://h/soap.png"
    status.mediaInformation?.adBreakClips = [clip]
    status.mediaInformation?.adBreaks = [
      AdBreakInfo(identifier: "b", clipIdentifiers: ["c1", "c2", "c3"], position: .at(100)),
      AdBreakInfo(identifier: "z", clipIdentifiers: ["c1"], position: .postroll, isWatched: true),
    ]
    status.adBreakStatus = AdBreakStatus(
      breakIdentifier: "b", clipIdentifier: "c2", currentClipTime: 1, whenSkippable: 5)
    status.playbackRate = 0
    status.supportedMediaCommands = [.pause, .setVolume]
  }

  @Test("ads: clip title, poster, “skip in N s”, then skip; no seeking meanwhile")
  func ads() {
    var face = Face.playing { _ in
    } _: {
      Self.ad(&$0)
    }
    face.want(.openExpandedController)
    let ad = face.shot.expandedController.ad
    #expect(ad?.title == "Soap" && ad?.posterURL == "http://h/soap.png" && ad?.skipText == "Skip in 4 s")
    #expect(ad?.clipNumber == 2 && ad?.clipCount == 3 && ad?.canSkip == false)
    #expect(
      face.shot.expandedController.title == "Soap"
        && face.shot.expandedController.status == "Ad 2 of 3 on Kitchen")
    #expect(face.want(.skipAd) == nil && face.shot.notices.last?.nextStep == "wait 4 s")
    #expect(face.want(.seek(to: 3)) == nil && !face.shot.expandedController.showsSeekBar)
    #expect(
      face.media.adMarks.map(\.position) == [100, nil]
        && face.media.adMarks.map(\.isWatched) == [false, true])
    face.pass(.milliseconds(2500))
    #expect(face.media.ad?.skipText == "Skip in 2 s")
    face.pass(.seconds(2))
    #expect(face.media.ad?.skipText == "Skip ad" && face.media.canSkipAd && face.want(.skipAd) == .skipAd)
    face.learn(
      .mediaStatus(
        Face.status {
          Self.ad(&$0); $0.adBreakStatus?.whenSkippable = nil
        }))
    #expect(face.media.ad?.skipText == nil && face.want(.skipAd) == nil)
    face.learn(.mediaStatus(Face.status()))
    #expect(face.want(.skipAd) == nil && face.media.ad == nil)
  }

  @Test("artwork: the selected image for each use, and late answers about other media change nothing")
  func artwork() {
    var face = Face.playing()
    let images = Face.film().metadata?.images ?? []
    #expect(face.actions.filter { $0 == .loadArtwork(images, .miniController) }.count == 1)
    face.learn(.artwork(.miniController, images[1], .ready))
    face.learn(.artwork(.castDialog, nil, .unavailable))
    #expect(face.shot.miniController.artwork == Artwork(image: images[1], state: .ready))
    #expect(face.media.artwork == nil)
    face.learn(
      .mediaStatus(Face.status { $0.mediaInformation?.metadata?.images = [Image(url: "http://h/new")] }))
    #expect(face.shot.miniController.artwork?.image.url == "http://h/new")
    face.learn(.artwork(.miniController, images[1], .ready))
    #expect(face.shot.miniController.artwork?.image.url == "http://h/new")
  }

  @Test("a live stream with a seekable range has a bar, a live edge, and positions inside it")
  func liveRange() {
    var face = Face.playing { _ in
    } _: {
      PermissionSample.live(&$0)
      $0.liveSeekableRange = MediaLiveSeekableRange(startTime: 0, endTime: 200, isMovingWindow: true)
    }
    #expect(face.media.progress == 0.5 && face.media.canSeekToLiveEdge)
    #expect(face.want(.seek(to: 900)) == .seek(to: 200))
    #expect(face.want(.seekToLiveEdge) == .seekToLiveEdge)
    #expect(Face.playing().media.canSeekToLiveEdge == false)
  }

  @Test("what is being loaded is shown as such: its title, and no time of the old one")
  func loading() {
    var face = Face.playing { _ in
    } _: {
      $0.playerState = .idle
      $0.loadingItemID = MediaQueueItemID(9)
    }
    #expect(face.media.isLoading && face.shot.miniController.isVisible)
    face.learn(
      .mediaStatus(
        Face.status {
          $0.playerState = .idle
          $0.idleReason = .error
        }))
    #expect(face.media.playbackState == .ended(.error) && !face.media.hasMedia)
    #expect(face.shot.expandedController.status == "The media could not be played")
  }
}
