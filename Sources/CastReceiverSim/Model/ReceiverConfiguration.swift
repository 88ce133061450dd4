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

  /// A picture's size and range, for `videoInfo`.
  package struct Video: Sendable, Hashable {
    package var width: Int
    package var height: Int
    /// `sdr`, `hdr` or `dv`.
    package var hdrType: String

    package init(width: Int, height: Int, hdrType: String = "sdr") {
      self.width = width
      self.height = height
      self.hdrType = hdrType
    }
  }

  /// What a non-media application of the catalogue is.
  package struct Application: Sendable, Hashable {
    package var appID: String
    package var displayName: String
    package var namespaces: [String]

    package init(appID: String, displayName: String, namespaces: [String]) {
      self.appID = appID
      self.displayName = displayName
      self.namespaces = namespaces
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
  /// Duration of a medium whose bytes and load request tell none, in seconds.
  package var unknownDuration = 10.0
  /// Seed of shuffles and of session ids.
  package var seed: UInt64 = 1
  package var shuffleOrder = ShuffleOrder.seeded
  /// Applications besides the Default Media Receiver.
  package var applications: [Application] = []
  /// The members of the group this device leads; empty for a device that is none (protocol 5.9).
  package var members: [SimGroupMember] = []
  /// The members play one channel each.
  package var isStereoPair = false
  /// The picture that statuses tell of; nil tells nothing (protocol 6.5).
  package var video: Video?
  package var faults: [Fault] = []

  // Points on which sources disagree or say nothing.

  /// CONNECT with protocol versions is answered by CONNECTED (openscreen; consumer firmware is silent,
  /// protocol 3.1).
  package var answersConnect = false
  /// `playbackDuration` of an item ends it early. Measured: ignored (protocol 21.7).
  package var honoursPlaybackDuration = false
  /// A failed LOAD sends LOAD_FAILED first and IDLE/ERROR after it, not the other way round (protocol 6.4).
  package var loadFailedComesFirst = true
  /// The ERROR of a failed queue item carries its detailedErrorCode. Measured: it does not (protocol 21.6).
  package var itemErrorsCarryCodes = false
  /// A request id that the same sender has used before is refused (protocol 6.6).
  package var refusesRepeatedRequestIDs = false
  /// Statuses of endless media carry liveSeekableRange (protocol 12.5).
  package var sendsLiveRange = false
  /// How many seconds of endless media can be sought in; nil for all since the start (protocol 12.5).
  package var liveWindow: Double?
  /// A message under a namespace the application does not list is answered with CLOSE; otherwise it is dropped
  /// (protocol 16).
  package var closesOnUnknownNamespace = true
  /// QUEUE_GET_ITEM_RANGE is answered. Measured: refused (protocol 21.8).
  package var answersItemRanges = false
  /// Most items one QUEUE_ITEMS holds; nil for no limit (protocol 7.7).
  package var itemsPerAnswer: Int?
  /// STORE_SESSION and RESUME_SESSION work, and the commands say so (protocol 6.9, 14.7). The recordings are of one where not.
  package var transfersSessions = false
  /// Commands tell of next and previous, as newer receivers do. Measured: they do not (recordings, protocol 6.7).
  package var announcesQueueCommands = false
  /// Requests whose command bit is missing are refused with NOT_SUPPORTED (protocol 6.7).
  package var enforcesCommands = false
  /// A clip that cannot be played is told as ERROR 901; otherwise its moment just passes (protocol 6.6).
  package var reportsFailedClips = false
  /// Device authentication is answered with INTERNAL_ERROR; otherwise with silence (protocol 2).
  package var refusesAuthentication = true

  package init() {}

  /// A UUID that is the same whenever seed and index are.
  package static func uuid(seed: UInt64, index: Int) -> String {
    var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(truncatingIfNeeded: index))
    return generator.identifier()
  }

  /// The device id as discovery and GET_DEVICE_INFO give it.
  package var deviceID: String { uuid.filter { $0 != "-" } }
}
