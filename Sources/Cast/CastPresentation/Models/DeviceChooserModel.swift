public import CastProtocol

/// The dialog of the Cast button (Google's design checklist, "Cast dialog"). Receivers appear nowhere else.
public struct DeviceChooserModel: Sendable, Hashable {
  /// What the dialog shows.
  public enum Face: Sendable, Hashable {
    /// The devices, by name.
    case devices([DeviceRow])
    /// No device has been found.
    case noneFound(NoDevicesFound)
    /// A session is being started.
    case connecting(ConnectingProgress)
    /// The device of the session.
    case connected(ConnectedDevice)
  }

  /// Whether the dialog is open.
  public let isOpen: Bool
  /// Its title: `Cast to`, or the name of the device.
  public let title: String
  /// What it shows.
  public let face: Face
  /// Whether devices are being looked for.
  public let isSearching: Bool
  /// The error of the last attempt to connect; nil when there was none.
  public let failure: PresentationFailure?

  init(
    _ facts: PresentationFacts, _ options: PresentationOptions, volume: DeviceVolumeControl,
    media: MediaController, isOpen: Bool, at now: Tick
  ) {
    self.isOpen = isOpen
    isSearching = facts.isSearching
    failure = facts.connectFailure
    guard let session = facts.openSession else {
      title = "Cast to"
      let rows = DeviceRow.rows(facts.devices)
      face = rows.isEmpty ? .noneFound(NoDevicesFound(facts)) : .devices(rows)
      return
    }
    title = session.deviceName
    if case .connecting(let step) = session.phase {
      face = .connecting(ConnectingProgress(session, step))
    } else {
      face = .connected(ConnectedDevice(facts, options, session, volume, media, at: now))
    }
  }
}

/// A device in the list.
public struct DeviceRow: Sendable, Hashable {
  /// The device's `presentedID`, for `PresentationIntent.chooseDevice`.
  public let id: String
  /// Its friendly name, or its address without one.
  public let name: String
  /// The second line: `Casting` and what it runs; nil when it is idle, or nothing is known.
  public let activity: String?
  /// Its category, for an icon.
  public let type: DeviceType
  /// Its model; nil when unknown.
  public let modelName: String?

  init(_ device: Device) {
    id = device.presentedID
    name = device.presentedName
    type = device.type
    modelName = device.modelName
    activity = Self.activity(device)
  }

  /// The status text as devices announce it is the name of the application, or a sentence of its own (protocol 13.2, `rs`).
  private static func activity(_ device: Device) -> String? {
    if let text = device.statusText, !text.isEmpty {
      let lower = text.lowercased()
      return lower.hasPrefix("casting") || lower.hasPrefix("now casting") ? text : "Casting \(text)"
    }
    return device.status == .busy ? "Casting" : nil
  }

  /// In the order of the names, then of the identities; each identity once.
  static func rows(_ devices: [Device]) -> [DeviceRow] {
    var seen: Set<String> = []
    return devices.map(DeviceRow.init).filter { seen.insert($0.id).inserted }
      .sorted { ($0.name.lowercased(), $0.name, $0.id) < ($1.name.lowercased(), $1.name, $1.id) }
  }
}

/// Why the list is empty, and how to find out more.
public struct NoDevicesFound: Sendable, Hashable {
  /// Why, in words for a person.
  public let reason: String
  /// What to do about it, the likeliest first.
  public let nextSteps: [String]

  init(_ facts: PresentationFacts) {
    if let problem = facts.problems.first {
      reason = problem
    } else if facts.isSearching {
      reason = "No Cast device has answered on this network"
    } else {
      reason = "Devices are not being looked for"
    }
    nextSteps =
      facts.problems.dropFirst()
      + [
        "check that the device is on and in the same network as this computer",
        "networks for guests, VPNs and separate VLANs keep devices apart; a device can be given by its address",
      ]
  }
}

/// A session that is being started.
public struct ConnectingProgress: Sendable, Hashable {
  /// The name of the device.
  public let deviceName: String
  /// The step.
  public let step: ConnectingStep
  /// The step in words for a person.
  public let text: String

  init(_ session: PresentedSession, _ step: ConnectingStep) {
    deviceName = session.deviceName
    self.step = step
    text =
      switch step {
      case .reaching: "Connecting to \(session.deviceName)…"
      case .launching: "Starting the application on \(session.deviceName)…"
      case .waitingForConsent: "Allow casting on the screen of \(session.deviceName)"
      }
  }
}

/// The device of the session, and what it plays.
public struct ConnectedDevice: Sendable, Hashable {
  /// The name of the device.
  public let deviceName: String
  /// The title of the media; nil while nothing is loaded, or when it has none.
  public let title: String?
  /// The studio of a film, else the second line of the media; without media what the application reports. Nil when there is none.
  public let subtitle: String?
  /// The image of the media; nil when there is none.
  public let artwork: Artwork?
  /// The volume of the device.
  public let volume: DeviceVolumeControl
  /// Where else it could play, and the members of a group.
  public let outputs: OutputSwitcherModel
  /// What play and pause do now, for the button beside the title; nil when nothing is loaded.
  public let playbackControl: MediaControl?
  /// Whether the connection is lost and being restored.
  public let isSuspended: Bool
  /// What a suspended session waits for, in words for a person; nil otherwise.
  public let suspensionText: String?
  /// Whether stopping what plays on the device is pending.
  public let isStopPending: Bool
  /// Whether leaving the device is pending.
  public let isDisconnectPending: Bool

  /// Stops the application on the device: an act of its own.
  public var stopIntent: PresentationIntent { .stopCasting }
  /// Leaves the device, which plays on: another act.
  public var disconnectIntent: PresentationIntent { .disconnect }

  init(
    _ facts: PresentationFacts, _ options: PresentationOptions, _ session: PresentedSession,
    _ volume: DeviceVolumeControl, _ media: MediaController, at now: Tick
  ) {
    deviceName = session.deviceName
    self.volume = volume
    outputs = OutputSwitcherModel(facts, options, session, at: now)
    title = media.title
    let studio = facts.media?.mediaInformation?.metadata?.string(for: .studio)
    subtitle = studio ?? media.subtitle ?? (media.hasMedia ? nil : facts.application?.presentedStatus)
    artwork = media.artwork
    playbackControl = media.hasMedia ? media.control(.playPauseToggle) : nil
    if case .suspended(let reason, let next) = session.phase {
      isSuspended = true
      let left = next.map { max($0 - max(now - facts.sessionAt, .zero), .zero).seconds.rounded(.up) }
      let wait = left.map { ", next attempt in \(Int(bounded: $0)) s" } ?? ""
      suspensionText = "\(reason ?? "The connection is suspended")\(wait)"
    } else {
      isSuspended = false
      suspensionText = nil
    }
    isStopPending = facts.isPending { $0 == .stopCasting }
    isDisconnectPending = facts.isPending { $0 == .disconnect }
  }
}

extension ApplicationMetadata {
  /// Its status text, else its name; nil when both are missing or empty.
  var presentedStatus: String? { [statusText, displayName].compactMap { $0 }.first { !$0.isEmpty } }
}
