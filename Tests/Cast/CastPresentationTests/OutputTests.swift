import CastPresentation
import CastProtocol
import CastReceiverSim
import CastSender
import Testing

/// Moves to other devices, and the members of groups, as models decide them.
@Suite struct OutputTests {
  private func outputs(_ face: Face) -> OutputSwitcherModel? {
    if case .connected(let device) = face.shot.deviceChooser.face { device.outputs } else { nil }
  }

  @Test("the connected dialog offers the other devices, and searches for them while it is open")
  func offersTargets() throws {
    var face = Face.playing()
    face.want(.pressCastButton)
    #expect(face.actions.contains(.showDeviceList(true)))
    let model = try #require(outputs(face))
    #expect(model.targets.map(\.name) == ["Sofa"] && model.isInputEnabled && model.progressText == nil)
    #expect(face.want(model.intent(for: model.targets[0])) == .transfer(to: Face.sofa))
    #expect(face.want(.transfer(to: Face.sofa.presentedID)) == nil && face.outcome != .done)
    #expect(face.shot.notices.last?.message == "what plays is being moved to Sofa")
    var alone = Face()
    alone.find(Face.sofa)
    #expect(alone.want(.transfer(to: Face.sofa.presentedID)) == nil)
    #expect(alone.shot.notices.last?.nextStep == "choose a device first")
    var other = Face.playing()
    #expect(other.want(.transfer(to: Face.kitchen.presentedID)) == nil && other.outcome == .done)
    #expect(other.want(.transfer(to: "nobody")) == nil && other.outcome != .done)
  }

  @Test("a move is shown from the choice until it plays there, and the old device is controlled meanwhile")
  func showsProgress() throws {
    var face = Face.playing()
    face.want(.pressCastButton)
    face.want(.transfer(to: Face.sofa.presentedID))
    #expect(face.shot.castButton.label == "Moving to Sofa" && face.shot.castButton.isMoving)
    #expect(face.shot.expandedController.status == "Moving to Sofa…" && face.media.canPause)
    var model = try #require(outputs(face))
    #expect(model.progressText == "Moving to Sofa…" && !model.isInputEnabled)
    face.session(.moving, Face.sofa)
    #expect(face.shot.castButton.label == "Moving to Sofa" && face.shot.deviceVolume.level == nil)
    #expect(face.want(.pause) == nil)
    #expect(face.shot.notices.last?.nextStep == "wait until it plays there")
    face.session(.connected, Face.sofa)
    face.learn(.finished(IntentID(2), nil))
    #expect(face.shot.castButton.label == "Casting to Sofa" && !face.shot.deviceChooser.isOpen)
    model = try #require(outputs(face))
    #expect(model.targets.map(\.name) == ["Kitchen"] && model.isInputEnabled)
  }

  @Test("a move that fails is a notice, and what plays stays where it is")
  func fails() {
    var face = Face.playing()
    face.want(.transfer(to: Face.sofa.presentedID))
    face.learn(.finished(face.id, PresentationFailure(CastError(.connectionRefused, "Sofa refuses"))))
    #expect(face.shot.notices.map(\.message) == ["Sofa refuses"])
    #expect(face.shot.castButton.label == "Casting to Kitchen" && face.media.canPause)
  }

  private static func member(_ id: String, _ level: Double, control: String = "attenuation") throws
    -> MultizoneDevice
  {
    try #require(
      MultizoneDevice(
        json: [
          "deviceId": .string(id), "name": .string(id.uppercased()),
          "volume": ["level": .number(level), "controlType": .string(control)],
        ]))
  }

  @Test("a group lists its members with their volumes, which change one by one")
  func members() throws {
    var face = Face.connected()
    #expect(outputs(face)?.members.isEmpty == true)
    let changed = try Self.member("a", 0.3)
    let (first, second) = (try Self.member("a", 0.2), try Self.member("b", 0.4, control: "fixed"))
    face.learn(.multizone(.deviceAdded(first)))
    face.learn(.multizone(.deviceAdded(second)))
    face.learn(.multizone(.deviceUpdated(changed)))
    let rows = try #require(outputs(face)?.members)
    #expect(rows.map(\.name) == ["A", "B"] && rows.map(\.level) == [0.3, 0.4])
    #expect(rows.map(\.isInputEnabled) == [true, false] && rows[1].explanation?.contains("fixed") == true)
    #expect(face.want(rows[0].volumeIntent(7)) == .setMemberVolume(1, of: changed))
    #expect(outputs(face)?.members[0].level == 1 && outputs(face)?.members[0].isPending == true)
    face.pass(.milliseconds(300))
    #expect(outputs(face)?.members[0].level == 0.3, "it has not replied")
    face.learn(.finished(face.id, nil))
    #expect(outputs(face)?.members[0].level == 1, "it has replied, and its group says nothing")
    #expect(face.want(rows[1].volumeIntent(0.5)) == nil)
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(face.want(.setMemberVolume(number, of: "a")) == nil)
    }
    #expect(face.want(rows[0].muteIntent) != nil && face.want(.setMemberMuted(true, of: "c")) == nil)
    face.learn(.multizone(.deviceRemoved(deviceID: "b")))
    #expect(outputs(face)?.members.map(\.id) == ["a"])
    face.session(.connected, Face.sofa)
    #expect(outputs(face)?.members.isEmpty == true, "they were another device's")
  }

  @Test("a stereo pair is one output, and a group lists no more members than fit")
  func bounds() throws {
    var face = Face.connected()
    let members = JSONValue.array((0..<100).map { ["deviceId": .string("\($0)")] })
    let group = try #require(MultizoneStatus(json: ["devices": members]))
    face.learn(.multizone(.status(group)))
    #expect(outputs(face)?.members.count == PresentationMachine.memberLimit)
    #expect(outputs(face)?.members.first?.level == nil && outputs(face)?.members.first?.name == "0")
    let pair = try #require(MultizoneStatus(json: ["devices": members, "isMultichannel": true]))
    face.learn(.multizone(.status(pair)))
    #expect(outputs(face)?.members.isEmpty == true)
  }
}

/// The same with simulated receivers.
@Suite(.serialized, .timeLimit(.minutes(20))) struct OutputPresenterTests {
  @Test("what plays is moved to another device, and to one that is off it is not")
  func moves() async throws {
    try await Stage.run { stage in
      let presenter = try await stage.playing()
      let session = try #require(stage.context.sessionManager.currentSession)
      let nobody = Device(endpoint: DeviceEndpoint(host: "127.0.0.1", port: 1), friendlyName: "Nobody")
      presenter.addDevice(nobody)
      let failure = await #expect(throws: PresentationFailure.self) {
        try await presenter.perform(.transfer(to: nobody.presentedID))
      }
      #expect(failure?.code == "connection_refused")
      #expect(presenter.snapshot.notices.count == 1 && presenter.snapshot.castButton.state == .connected)
      try await Stage.run { other in
        presenter.addDevice(other.device)
        try await presenter.perform(.transfer(to: other.device.presentedID))
        await presenter.wait {
          $0.castButton.state == .connected && $0.media.title == "film" && $0.media.playbackState == .playing
        }
        #expect(stage.context.sessionManager.currentSession === session)
        #expect(session.device.endpoint.port == other.server.port)
        try await presenter.perform(.stopCasting)
      }
    }
  }

  @Test("a group reports its members when it is connected, and each is set at its own address")
  func setsMembers() async throws {
    try await Stage.run {
      $0.isAudioOnly = true
    } _: { kitchen in
      let id = kitchen.server.configuration.deviceID
      try await Stage.run {
        $0.isAudioOnly = true
        $0.members = [SimGroupMember(deviceID: id, name: "Kitchen")]
      } _: { stage in
        let context = CastContext(
          options: stage.context.options, resolver: MemberAddress(device: kitchen.device))
        let presenter = CastPresenter(context: context, introductions: MemoryIntroduction())
        var group = stage.device
        group.capabilities = [.audioOut, .multizoneGroup]
        presenter.addDevice(group)
        try await presenter.perform(.chooseDevice(group.presentedID))
        await presenter.wait { Self.members($0).map(\.name) == ["Kitchen"] }
        try await presenter.perform(.setMemberVolume(0.25, of: id))
        try await presenter.perform(.setMemberMuted(true, of: id))
        await presenter.wait {
          Self.members($0).map(\.level) == [0.25] && Self.members($0).map(\.isMuted) == [true]
        }
        let own = Session(device: kitchen.device, options: SessionOptions(purpose: .device))
        try await own.start()
        let volume = try #require(own.receiverStatus?.volume)
        #expect(abs(volume.level - 0.25) < 0.01 && volume.isMuted)
        await own.leave()
        try await presenter.perform(.disconnect)
      }
    }
  }

  private static func members(_ snapshot: PresentationSnapshot) -> [GroupMemberRow] {
    if case .connected(let device) = snapshot.deviceChooser.face { device.outputs.members } else { [] }
  }
}

/// Knows the address of one device.
private struct MemberAddress: DeviceResolver {
  let device: Device
  func locate(_ device: Device) async -> Device { self.device }
}
