import CastPresentation
import CastSender
import Testing

extension SampleTests {
  @Suite struct Presentation {
    @Test("a face of words: the button, its dialog, the mini controller, and keys")
    func faceOfWords() async throws {
      try await SampleDevice.run { stage in
        var options = CastOptions()
        options.startsDiscoveryAutomatically = false
        options.discoveryInterfaces = ["none0"]
        let context = CastContext(options: options)
        var presented = introducedOptions()
        presented.introduction = nil
        let presenter = CastPresenter(context: context, options: presented)
        #expect(
          castButton(presenter.snapshot.castButton)
            == "[ ] Cast: no devices (Devices are not being looked for)")
        #expect(lines(of: presenter.snapshot.deviceChooser).count == 3)
        presenter.addDevice(stage.device)
        #expect(lines(of: presenter.snapshot.deviceChooser) == ["Cast to", "Lobby TV"])
        try await cast(to: "Lobby TV", with: presenter)
        #expect(castButton(presenter.snapshot.castButton) == "[#] Casting to Lobby TV")
        #expect(line(of: presenter.snapshot.miniController) == nil)
        #expect(await press(" ", with: presenter) == "nothing is loaded: load media first")
        let session = try #require(context.sessionManager.currentSession)
        _ = try await session.remoteMediaClient.load(stage.film("A film")).value
        for await snapshot in presenter.snapshots() where snapshot.media.playbackState == .playing { break }
        #expect(line(of: presenter.snapshot.miniController) == "A film, Casting to Lobby TV [Pause]")
        #expect(lines(of: presenter.snapshot.deviceChooser) == ["Lobby TV", "A film"])
        #expect(await press(" ", with: presenter) == nil && presenter.snapshot.media.playbackState == .paused)
        #expect(await press("x", with: presenter) == nil)
        try await presenter.perform(.stopCasting)
        await context.discoveryManager.stopDiscovery()
      }
    }

    @Test("the outputs as lines, and a move to another device")
    func moves() async throws {
      try await SampleDevice.run { old in
        try await SampleDevice.run { new in
          var options = CastOptions()
          options.startsDiscoveryAutomatically = false
          options.discoveryInterfaces = ["none0"]
          let context = CastContext(options: options)
          var presented = PresentationOptions()
          presented.introduction = nil
          let presenter = CastPresenter(context: context, options: presented)
          var other = new.device
          other.friendlyName = "Kitchen"
          presenter.addDevice(old.device)
          presenter.addDevice(other)
          #expect(outputLines(of: presenter.snapshot.deviceChooser).isEmpty)
          try await cast(to: "Lobby TV", with: presenter)
          let session = try #require(context.sessionManager.currentSession)
          _ = try await session.remoteMediaClient.load(old.film("A film")).value
          #expect(outputLines(of: presenter.snapshot.deviceChooser) == ["Move to Kitchen"])
          #expect(await moveStream(to: "Cellar", with: presenter) == nil)
          #expect(await moveStream(to: "Kitchen", with: presenter) == nil)
          #expect(castButton(presenter.snapshot.castButton) == "[#] Casting to Kitchen")
          #expect(outputLines(of: presenter.snapshot.deviceChooser) == ["Move to Lobby TV"])
          try await presenter.perform(.stopCasting)
          await context.discoveryManager.stopDiscovery()
        }
      }
    }

    @Test("options, a face without a session, and styles")
    func values() throws {
      #expect(introducedOptions().introduction?.dismissText == "Close")
      #expect(musicOptions().expandedControllerButtons.count == 4)
      var face = WatchingFace()
      let device = Device(endpoint: DeviceEndpoint(host: "10.0.0.7", port: 8009), friendlyName: "Hall")
      face.handle(.devices([device], isSearching: true), at: .zero)
      face.handle(.intent(.chooseDevice(device.presentedID), IntentID(1)), at: .zero)
      #expect(face.commands == [.connect(device)])
      let text =
        ##"{"dark": {"tint": "#7FB0FF", "mini_controller": {"background": "#101418"}}, "fonts": {"title": {"size": 22}}}"##
      let style = try style(of: text)
      #expect(style.color(.background, in: .miniController, .dark).description == "#101418")
      #expect(style.font(.title, in: .notice).size == 22)
      #expect(houseStyle().color(.text, in: .miniController, .light).description == "#f2f4f7")
    }
  }
}
