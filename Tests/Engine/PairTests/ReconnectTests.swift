import CastProtocol
import CastReceiverSim
import Testing

/// A session that is wanted lives: whatever happens to the device or to the way there, it is active again, or ended for a reason
/// that is told (protocol 14.4, 14.6).
struct ReconnectTests {
  /// What a session is in the middle of.
  enum Moment: CaseIterable {
    case connecting, launching, loading, playing, paused, ad, editing, idle
  }

  /// What goes wrong.
  enum Fault: CaseIterable {
    case reset, shortSilence, longSilence, reboot, longReboot, move, handshakes, hangUp, killed, takenOver
  }

  @Test(
    "a session that was active is active again, or says what ended it; nothing is lost and nothing is left",
    arguments: Moment.allCases, Fault.allCases)
  func survives(_ moment: Moment, _ fault: Fault) {
    var network = RoughNetwork()
    Self.bring(&network, to: moment)
    let tokens = Self.requests.map { network.request($0) }
    Self.strike(&network, fault)
    let later = network.request(.receiver(.getStatus))
    network.run(for: .seconds(240))

    let words = network.story
    switch (fault, network.end) {
    case (.takenOver, let end??): #expect(end.code == .applicationReplaced, "\(words)")
    case (.killed, let end??): #expect(end.code == .applicationNotRunning, "\(words)")
    case (_, .some): #expect(moment == .connecting || moment == .launching, "\(words)")
    case (.takenOver, nil), (.killed, nil):
      // Before our application is up there is nothing to take over.
      #expect(network.isActive && (moment == .connecting || moment == .launching), "\(words)")
    case (_, nil): #expect(network.isActive, "\(words)")
    }
    if network.end == nil { network.tell(.end(.leave)) }
    for token in tokens + [later] {
      #expect(network.completions[token]?.count == 1, "request \(token)\n\(words)")
    }
    #expect(network.leftovers == "[] ", "\(words)")
    Self.checkOrder(network)
  }

  @Test(
    "a device that starts anew gets its application launched anew; one that only lost the way is joined as it was"
  )
  func tellsNewFromOld() {
    for (strike, isSame) in [(Fault.reset, true), (.shortSilence, true), (.reboot, false)] {
      var network = RoughNetwork()
      Self.bring(&network, to: .playing)
      Self.strike(&network, strike)
      network.run(for: .seconds(120))
      let resumed = network.events.compactMap { event -> Bool? in
        if case .resumed(_, let isSame) = event.event { isSame } else { nil }
      }
      #expect(resumed == [isSame])
      let last = network.events.last { if case .mediaStatus = $0.event { true } else { false } }
      if case .mediaStatus(let status)? = last?.event { #expect((status != nil) == isSame) }
    }
  }

  @Test("what may be asked twice is asked again, once; what may not fails at once")
  func repeatsQuestions() {
    var network = RoughNetwork()
    Self.bring(&network, to: .playing)
    let question = network.request(.receiver(.getStatus))
    let deed = network.request(.media(.queueNext, customData: nil))
    network.reset()
    #expect(network.completions[deed]?.count == 1)
    #expect(network.completions[question] == nil)
    network.run(for: .seconds(5))
    guard case .success? = network.completions[question]?.first else {
      Issue.record("the question was not asked again")
      return
    }
    // Lost a second time, it is over.
    let again = network.request(.receiver(.getStatus))
    network.reset()
    network.run(until: network.now + .seconds(5)) { $0.isActive }
    network.reset()
    #expect(network.completions[again]?.count == 1)
  }

  @Test("while the device is away, requests are refused at once and in words")
  func refusesWhileAway() {
    var network = RoughNetwork()
    Self.bring(&network, to: .playing)
    network.reboot(for: .seconds(60))
    let token = network.request(.media(.pause, customData: nil))
    #expect(network.completions[token] == [.failure(CastError(.deviceNotConnected, ""))])
    network.tell(.end(.stopApplication))
    #expect(network.end == CastError(.deviceNotConnected, ""))
    #expect(network.leftovers == "[] ")
  }

  @Test("a session suspended by its program calls nobody until it is resumed")
  func suspends() {
    var network = RoughNetwork()
    Self.bring(&network, to: .playing)
    let attempts = network.attempts
    network.tell(.suspend)
    network.run(for: .seconds(3600))
    #expect(network.attempts == attempts)
    #expect(network.events.contains { $0.event == .suspended(.byCaller) })
    network.tell(.resume)
    network.run(for: .seconds(2))
    #expect(network.isActive && network.attempts == attempts + 1)
  }

  @Test("what others do is told apart", arguments: ["pause", "load", "volume", "stop"])
  func noticesStrangers(_ deed: String) {
    var network = RoughNetwork()
    Self.bring(&network, to: .playing)
    network.run(for: .seconds(20))
    let session: JSONValue = .integer(1)
    switch deed {
    case "pause":
      network.stranger(["type": "PAUSE", "requestId": 7, "mediaSessionId": session], .media)
    case "stop":
      network.stranger(["type": "STOP", "requestId": 7, "mediaSessionId": session], .media)
    case "load":
      network.stranger(
        [
          "type": "LOAD", "requestId": 7,
          "media": [
            "contentId": "http://media/v9.mp4", "contentType": "video/mp4", "streamType": "BUFFERED",
          ],
        ], .media)
    default: network.stranger(["type": "SET_VOLUME", "requestId": 7, "volume": ["level": 0.25]])
    }
    network.run(for: .seconds(3))
    let actions = network.events.compactMap { event -> String? in
      guard case .foreignAction(let action) = event.event else { return nil }
      return switch action {
      case .loaded: "load"
      case .stoppedMedia: "stop"
      case .paused: "pause"
      case .resumed: "resume"
      case .changedVolume: "volume"
      }
    }
    #expect(actions == [deed])
  }

  // MARK: - Scenes

  private static let requests: [SenderRequest] = [
    .receiver(.getStatus), .media(.queueGetItemIDs, customData: nil), .media(.pause, customData: nil),
    .receiver(.setVolume(.level(0.3))), .media(.queueNext, customData: nil),
  ]

  static func bring(_ network: inout RoughNetwork, to moment: Moment) {
    switch moment {
    case .connecting: return
    case .launching:
      network.run(until: network.now + .seconds(5)) { $0.events.contains { $0.event == .launching } }
      return
    case .loading, .playing, .paused, .ad, .editing, .idle: break
    }
    network.run(until: network.now + .seconds(30)) { $0.isActive }
    guard moment != .idle else { return }
    network.request(.media(.queueLoad(load(withAds: moment == .ad)), customData: nil))
    guard moment != .loading else { return }
    network.run(for: .seconds(2))
    switch moment {
    case .paused:
      network.request(.media(.pause, customData: nil))
      network.run(for: .seconds(1))
    case .editing:
      network.request(.media(.queueInsert(QueueInsert(items: [item("v5.mp4")])), customData: nil))
    case .connecting, .launching, .loading, .playing, .ad, .idle: break
    }
  }

  static func strike(_ network: inout RoughNetwork, _ fault: Fault) {
    switch fault {
    case .reset: network.reset()
    case .shortSilence: network.silence(for: .seconds(20))
    case .longSilence: network.silence(for: .seconds(100))
    case .reboot: network.reboot(for: .seconds(25))
    case .longReboot: network.reboot(for: .seconds(90))
    case .move: network.move()
    case .handshakes: network.breakHandshakes(for: .seconds(5))
    case .hangUp: network.hangUp()
    case .killed: network.control(.exit)
    case .takenOver: network.stranger(["type": "LAUNCH", "requestId": 1, "appId": "233637DE"])
    }
  }

  private static func item(_ name: String) -> MediaQueueItem {
    MediaQueueItem(
      mediaInformation: MediaInformation(contentID: "http://media/\(name)", contentType: "video/mp4"))
  }

  private static func load(withAds: Bool) -> QueueLoad {
    var items = [item("v600.mp4"), item("v500.mp4"), item("v400.mp4")]
    if withAds {
      var clip = AdBreakClipInfo(identifier: "a")
      clip.contentID = "http://media/v30.mp4"
      clip.contentType = "video/mp4"
      clip.duration = 30
      items[0].mediaInformation?.adBreakClips = [clip]
      items[0].mediaInformation?.adBreaks = [
        AdBreakInfo(identifier: "pre", clipIdentifiers: ["a"], position: .at(0))
      ]
    }
    return QueueLoad(items: items)
  }

  /// Suspended, retrying, resuming, resumed: in this order, and nothing after the end.
  static func checkOrder(_ network: RoughNetwork) {
    var isAway = false
    var isReturning = false
    for (index, (_, event)) in network.events.enumerated() {
      switch event {
      case .suspended:
        #expect(!isAway || isReturning, "suspended twice")
        (isAway, isReturning) = (true, false)
      case .retrying: #expect(isAway && !isReturning, "retrying out of order")
      case .resuming:
        #expect(isAway && !isReturning, "resuming out of order")
        isReturning = true
      case .resumed:
        #expect(isAway && isReturning, "resumed out of order")
        (isAway, isReturning) = (false, false)
      case .active: #expect(!isAway, "active while away")
      case .ended: #expect(index == network.events.count - 1, "something after the end")
      case .connecting, .launching, .waitingForConsent, .foreignAction, .receiverStatus, .mediaStatus,
        .queueItemIDs, .queueItems, .queueChange, .queueItemError, .queueItemFailed, .channelMessage,
        .multizone, .credentialsWanted:
        break
      }
    }
  }
}
