import CastProtocol

/// The device without its media: volume, the running application, a launch under way (protocol 5).
struct PlatformState: Sendable {
  /// One running (or booting) application instance.
  struct Application: Sendable {
    /// The id it runs under; that of an Android TV version differs from the requested one.
    var appID: String
    var universalID: String
    var isAndroid: Bool
    var displayName: String
    /// Its text for people; changes while it runs (protocol 5.2).
    var statusText: String
    var namespaces: [String]
    /// The data of its LAUNCH: language, credentials (protocol 5.4).
    var launchData: JSONValue
    var sessionID: String
    var transport: EndpointID
    /// False until its namespaces are complete.
    var isReady = false
    /// The media side; nil for applications without one.
    var media: MediaApplication?
    /// Whether it echoes messages in custom namespaces.
    var isEcho = false
    /// The web pages it shows; nil for applications that show none.
    var pages: DashCastApplication?
    /// When it became ready; nil before.
    var readyAt: Tick?
  }

  /// A LAUNCH that has not been answered yet.
  struct Launch: Sendable {
    enum Step: Sendable { case consent, start, namespaces }
    var step: Step
    var requester: Requester
    var requestID: Int
    var profile: ReceiverConfiguration.Application
    var isAndroid: Bool
    var data: JSONValue
    /// How the user declines, `REASON/EXTENDED`; nil when the user agrees.
    var refusal: String?
    /// The session that the application resumes; nil for none (protocol 14.7).
    var resumes: StoredSession?
  }

  static let mediaReceiverID = "CC1AD845"
  static let backdropID = "E8C28D3C"

  let configuration: ReceiverConfiguration
  var generator: SeededGenerator
  /// The name that people gave it last.
  var friendlyName: String
  var level: Double
  var isMuted = false
  var isActiveInput = true
  var isStandBy = false
  var members: [SimGroupMember]
  var application: Application?
  var launch: Launch?
  private var backdropSession: String
  private var launches = 0

  init(configuration: ReceiverConfiguration) {
    self.configuration = configuration
    generator = SeededGenerator(seed: configuration.seed)
    members = configuration.members
    friendlyName = configuration.friendlyName
    level = configuration.initialVolume
    backdropSession = generator.identifier()
    takeMembersLevel()
  }

  /// Restarts: applications are gone; volume, name and group are kept, as on devices.
  mutating func restart() {
    application = nil
    launch = nil
    isActiveInput = true
    isStandBy = false
    backdropSession = generator.identifier()
  }

  /// Applications that devices run as part of a group; no sender can launch them (protocol 14.7).
  static let groupApplications = [
    ReceiverConfiguration.Application(
      appID: "531A4F84", displayName: "Multizone Leader", namespaces: [Namespace.multizone.rawValue]),
    ReceiverConfiguration.Application(
      appID: "705D30C6", displayName: "Multizone Follower", namespaces: [Namespace.multizone.rawValue]),
  ]

  /// The applications this device can run.
  var catalogue: [ReceiverConfiguration.Application] {
    let media = ReceiverConfiguration.Application(
      appID: Self.mediaReceiverID, displayName: "Default Media Receiver",
      namespaces: [
        "urn:x-cast:com.google.cast.cac", "urn:x-cast:com.google.cast.debugoverlay", Namespace.media.rawValue,
      ])
    return [media] + EchoApplication.profiles + DashCastApplication.profiles + configuration.applications
  }

  /// The profile of an application id; ids are compared without regard to case (protocol 15).
  func profile(of appID: String) -> ReceiverConfiguration.Application? {
    catalogue.first { $0.appID.uppercased() == appID.uppercased() }
  }

  mutating func makeApplication(
    for launch: Launch, usesWebTransport: Bool, at now: Tick
  ) -> Application {
    launches += 1
    let profile = launch.profile
    let session = generator.identifier()
    let isMedia = profile.namespaces.contains(Namespace.media.rawValue)
    return Application(
      appID: launch.isAndroid ? profile.androidID ?? profile.appID : profile.appID,
      universalID: profile.appID, isAndroid: launch.isAndroid, displayName: profile.displayName,
      statusText: profile.displayName, namespaces: profile.namespaces, launchData: launch.data,
      sessionID: session,
      transport: EndpointID(usesWebTransport ? "web-\(launches)" : session),
      media: isMedia
        ? MediaApplication(
          configuration: configuration, seed: generator.next(), isAndroid: launch.isAndroid, at: now) : nil,
      isEcho: EchoApplication.profiles.contains(profile), pages: DashCastApplication(profile: profile))
  }

  /// A level as the device reports it: a single-precision number (protocol 21.16).
  static func rounded(_ level: Double) -> Double { Double(Float(min(max(level, 0), 1))) }

  /// Applies a SET_VOLUME; false when the request is malformed (protocol 5.7).
  mutating func setVolume(_ volume: JSONValue?) -> Bool {
    guard let volume, volume["level"]?.double != nil || volume["muted"]?.bool != nil else { return false }
    guard configuration.volumeControl != .fixed else { return true }
    if let wanted = volume["level"]?.double {
      let step = configuration.volumeStep
      // An amplifier moves in whole steps (protocol 18, quirk 38).
      let quantised =
        configuration.volumeControl == .master && step > 0 ? (wanted / step).rounded() * step : wanted
      level = Self.rounded(quantised)
      if configuration.platform.levelUnmutes { isMuted = false }
    }
    if let muted = volume["muted"]?.bool { isMuted = muted }
    return true
  }

  /// The complete `status` of RECEIVER_STATUS (protocol 5.2).
  func status(senderConnected: Bool) -> JSONValue {
    var status: [String: JSONValue] = [
      "userEq": [:],
      "volume": [
        "controlType": .string(configuration.volumeControl.rawValue), "level": .number(Self.rounded(level)),
        "muted": .bool(isMuted), "stepInterval": .number(Double(Float(configuration.volumeStep))),
      ],
    ]
    if !configuration.isAudioOnly, configuration.platform.tellsInput {
      status["isActiveInput"] = .bool(isActiveInput)
      status["isStandBy"] = .bool(isStandBy)
    }
    if let application {
      status["applications"] = [entry(of: application, senderConnected: senderConnected)]
    } else if !configuration.isAudioOnly {
      status["applications"] = [backdrop]
    }
    return .object(status)
  }

  private func entry(of application: Application, senderConnected: Bool) -> JSONValue {
    let names =
      application.isReady
      ? application.namespaces : application.namespaces.filter { $0 != Namespace.media.rawValue }
    let isReachable = application.isReady || configuration.launchStyle == .earlyReply
    return .members([
      "appId": .string(application.appID), "appType": application.isAndroid ? "ANDROID_TV" : "WEB",
      "displayName": .string(application.displayName),
      "iconUrl": "", "isIdleScreen": false, "launchedFromCloud": false,
      "namespaces": .array(names.map { ["name": .string($0)] }), "senderConnected": .bool(senderConnected),
      "sessionId": .string(application.sessionID), "statusText": .string(application.statusText),
      "transportId": isReachable ? .string(application.transport.rawValue) : nil,
      "universalAppId": .string(application.universalID),
    ])
  }

  private var backdrop: JSONValue {
    [
      "appId": .string(Self.backdropID), "appType": "WEB", "displayName": "Backdrop", "iconUrl": "",
      "isIdleScreen": true, "launchedFromCloud": false,
      "namespaces": [
        ["name": "urn:x-cast:com.google.cast.debugoverlay"], ["name": "urn:x-cast:com.google.cast.cac"],
      ],
      "senderConnected": false, "sessionId": .string(backdropSession), "statusText": "",
      "transportId": .string(backdropSession), "universalAppId": .string(Self.backdropID),
    ]
  }
}
