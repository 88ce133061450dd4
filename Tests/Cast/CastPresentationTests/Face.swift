import CastPresentation
import CastProtocol
import Testing

/// A machine with virtual time, and words for its facts.
struct Face {
  var machine: PresentationMachine
  var now = Tick(.seconds(1000))
  /// All actions so far.
  var actions: [PresentationAction] = []
  private var lastID = 0

  init(_ change: (inout PresentationOptions) -> Void = { _ in }) {
    var options = PresentationOptions()
    change(&options)
    machine = PresentationMachine(options: options)
  }

  var shot: PresentationSnapshot { machine.snapshot(at: now) }
  var media: MediaController { shot.media }

  @discardableResult
  mutating func learn(_ event: PresentationEvent) -> [PresentationAction] {
    let new = machine.handle(event, at: now)
    actions += new
    return new
  }

  /// Wants something; returns the command it leads to, if there is one.
  @discardableResult
  mutating func want(_ intent: PresentationIntent) -> PresentationCommand? {
    lastID += 1
    let new = learn(.intent(intent, IntentID(lastID)))
    for case .perform(let command, for: _) in new { return command }
    return nil
  }

  /// The number of the newest intent.
  var id: IntentID { IntentID(lastID) }
  /// The outcome of the newest intent.
  var outcome: IntentOutcome? { shot.record(of: id)?.outcome }

  mutating func pass(_ time: Duration) { now = now + time }

  // MARK: - Facts

  static let kitchen = device("Kitchen")
  static let sofa = device("Sofa", activity: "YouTube")

  static func device(_ name: String, activity: String? = nil) -> Device {
    Device(
      endpoint: DeviceEndpoint(host: "\(name.lowercased()).local", port: 8009), friendlyName: name,
      status: activity == nil ? .idle : .busy, statusText: activity)
  }

  mutating func find(_ devices: Device..., problems: [String] = []) {
    learn(.devices(devices, isSearching: true, problems: problems))
  }

  mutating func session(_ phase: SessionPhase, _ device: Device = Face.kitchen) {
    learn(.session(PresentedSession(device: device, phase: phase)))
  }

  /// A connected face, with the introduction over.
  static func connected(_ change: (inout PresentationOptions) -> Void = { _ in }) -> Face {
    var face = Face(change)
    face.find(kitchen, sofa)
    face.learn(.introductionClaimed(isFirst: false))
    face.session(.connected)
    face.learn(.receiverStatus(receiver()))
    return face
  }

  /// A connected face that plays.
  static func playing(
    _ option: (inout PresentationOptions) -> Void = { _ in }, _ change: (inout MediaStatus) -> Void = { _ in }
  ) -> Face {
    var face = connected(option)
    face.learn(.mediaStatus(status(change)))
    return face
  }

  static func receiver(level: Double = 0.5, muted: Bool = false, control: String = "attenuation")
    -> ReceiverStatus
  {
    ReceiverStatus(
      json: [
        "applications": [
          ["appId": "CC1AD845", "sessionId": "s", "displayName": "Player", "statusText": "Ready"]
        ],
        "volume": [
          "level": .number(level), "muted": .bool(muted), "controlType": .string(control),
          "stepInterval": 0.1,
        ],
      ])
  }

  static func film(_ change: (inout MediaInformation) -> Void = { _ in }) -> MediaInformation {
    var metadata = MediaMetadata(
      kind: .movie,
      images: [Image(url: "http://h/one.png"), Image(url: "http://h/two.png", width: 9, height: 9)])
    metadata.title = "Film"
    metadata.subtitle = "Part one"
    metadata[.studio] = "Studio"
    var film = MediaInformation(
      contentURL: "http://h/film.mp4", contentType: "video/mp4", streamDuration: 600, metadata: metadata)
    change(&film)
    return film
  }

  static func status(_ change: (inout MediaStatus) -> Void = { _ in }) -> MediaStatus {
    var status = MediaStatus(mediaSessionID: MediaSessionID(1))
    status.playerState = .playing
    status.streamPosition = 100
    status.supportedMediaCommands = .allBasicMedia
    status.mediaInformation = film()
    status.currentItemID = MediaQueueItemID(1)
    change(&status)
    return status
  }
}

extension PermissionSample {
  static func live(_ status: inout MediaStatus) {
    status.mediaInformation?.streamType = .live
    status.mediaInformation?.streamDuration = nil
  }
}

/// Ways to change a status.
enum PermissionSample {}
