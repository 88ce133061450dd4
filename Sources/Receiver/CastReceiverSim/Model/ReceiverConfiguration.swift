import CastProtocol

/// Everything about one simulated device that may differ between devices, or that the protocol document
/// leaves open.
package struct ReceiverConfiguration: Sendable {
  /// How the device's volume can be changed (protocol 5.7).
  package enum VolumeControl: String, Sendable, CaseIterable {
    case attenuation, fixed, master
  }

  /// How a LAUNCH is answered (protocol 5.4).
  package enum LaunchStyle: String, Sendable, CaseIterable {
    /// One status, with the application complete.
    case atOnce = "at-once"
    /// A broadcast lists the application without transport and media namespace; the reply comes when it is
    /// complete.
    case twoPhases = "two-phases"
    /// The reply lists the application without its media namespace; a broadcast completes it.
    case earlyReply = "early-reply"
    /// As `twoPhases`, after LAUNCH_STATUS USER_PENDING_AUTHORIZATION and USER_ALLOWED.
    case withConsent = "consent"
  }

  /// Where a shuffle's order comes from.
  package enum ShuffleOrder: Sendable, Hashable {
    case seeded
    /// These orders of item ids, one for each shuffle; seeded when they are used up or do not fit.
    case scripted([[Int]])
  }

  /// An application of the catalogue.
  package struct Application: Sendable, Hashable {
    package var appID: String
    package var displayName: String
    package var namespaces: [String]
    /// The id under which an Android TV version of it runs when a sender allows that; nil when there is none (protocol 5.2, 5.4).
    package var androidID: String?

    package init(appID: String, displayName: String, namespaces: [String], androidID: String? = nil) {
      self.appID = appID
      self.displayName = displayName
      self.namespaces = namespaces
      self.androidID = androidID
    }
  }

  package var friendlyName = "Simulated receiver"
  /// 32 hexadecimal digits with dashes; the `id` of discovery is the same without dashes.
  package var uuid = "5f0ca571-0000-4000-a000-000000000001"
  package var model = "Chromecast"
  /// An audio device has no Backdrop, no input state, and plays neither video nor images (protocol 12.1).
  package var isAudioOnly = false
  package var volumeControl = VolumeControl.attenuation
  package var volumeStep = 0.05
  package var initialVolume = 1.0
  /// Time between PINGs to a sender (protocol 4).
  package var heartbeatInterval = Duration.seconds(5)
  /// A sender that is silent this long is dropped.
  package var silenceLimit = Duration.seconds(10)
  /// An application with nothing loaded closes after this time (protocol 14.5).
  package var idleTimeout = Duration.seconds(300)
  /// An application that is paused, or shows an image, closes after this time (protocol 14.5, 21.7).
  package var pausedTimeout = Duration.seconds(1200)
  /// The same for images alone, which smart displays close sooner; nil is `pausedTimeout` (protocol 14.5).
  package var imageTimeout: Duration?
  package var launchStyle = LaunchStyle.twoPhases
  /// From LAUNCH to the first status that lists the application.
  package var launchDelay = Duration.milliseconds(400)
  /// From that status to the one with every namespace.
  package var namespaceDelay = Duration.milliseconds(100)
  /// Time the user takes to allow a launch, for `LaunchStyle.withConsent`.
  package var consentDelay = Duration.milliseconds(500)
  /// From the PLAYING status to the first frame, as measured (protocol 21.18 and the recordings).
  package var startLatency = Duration.milliseconds(90)
  /// Items before and after the current one that a status shows (protocol 21.10).
  package var itemsBefore = 1
  package var itemsAfter = 1
  /// Most items one QUEUE_ITEMS holds; nil for no limit (protocol 7.7).
  package var itemsPerAnswer: Int?
  /// Duration of a medium whose bytes and load request state none, in seconds.
  package var unknownDuration = 10.0
  /// Seed of shuffles and of session ids.
  package var seed: UInt64 = 1
  package var shuffleOrder = ShuffleOrder.seeded
  /// Applications besides the Default Media Receiver.
  package var applications: [Application] = []
  /// The members of the group this device leads; empty for a device that is none (protocol 5.9).
  package var members: [SimGroupMember] = []
  /// Whether each member plays one channel.
  package var isStereoPair = false
  /// The picture that statuses report; nil reports none (protocol 6.5).
  package var video: VideoPicture?
  package var faults: [Fault] = []

  /// Points on which sources disagree or are silent, by part of the protocol; the defaults are what was measured or, where
  /// nothing was, what most receivers do.
  package var platform = PlatformSwitches()
  package var media = MediaSwitches()
  package var queue = QueueSwitches()
  package var ads = AdSwitches()
  package var channels = ChannelSwitches()
  package var pages = PageSwitches()

  package init() {}

  /// A UUID that is determined by seed and index.
  package static func uuid(seed: UInt64, index: Int) -> String {
    var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(truncatingIfNeeded: index))
    return generator.identifier()
  }

  /// Derives the UUID from name, port and seed: the same each time, and another one for each receiver.
  mutating func deriveUUID(port: Int) {
    // FNV-1a, 64 bits.
    let hash = "\(port) \(friendlyName)".utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    uuid = Self.uuid(seed: seed ^ hash, index: 0)
  }

  /// The device id as discovery and GET_DEVICE_INFO report it.
  package var deviceID: String { uuid.filter { $0 != "-" } }
}

extension ReceiverConfiguration {
  /// Whether a text is a UUID as devices have them, with dashes.
  package static func isUUID(_ text: String) -> Bool {
    text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
      && text.allSatisfy { $0 == "-" || ($0.isHexDigit && $0.isASCII) }
  }
}
