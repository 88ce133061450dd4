public import CastProtocol

/// A session as a face shows it: its device, and how far it is.
public struct PresentedSession: Sendable, Equatable {
  /// The device.
  public var device: Device
  /// The phase.
  public var phase: SessionPhase

  /// A session with a device.
  public init(device: Device, phase: SessionPhase) {
    self.device = device
    self.phase = phase
  }

  /// The device's name, or its address.
  public var deviceName: String { device.presentedName }
}

/// How far a session is (protocol 17.4).
public enum SessionPhase: Sendable, Equatable {
  /// It is being started.
  case connecting(ConnectingStep)
  /// Requests are accepted.
  case connected
  /// The connection is lost, and the session reconnects.
  /// - Parameters:
  ///   - reason: why, in words for a person; nil when it was requested.
  ///   - nextAttempt: time until the next attempt; nil when none is planned.
  case suspended(reason: String?, nextAttempt: Duration?)
  /// What plays is being moved to the device, which is the new one already (protocol 14.7).
  case moving
  /// It has ended; nil when a person ended it.
  case ended(CastError?)

  /// Whether there is a session: it has not ended.
  public var isOpen: Bool {
    if case .ended = self { false } else { true }
  }
}

/// The step of a session that starts (protocol 14.1).
public enum ConnectingStep: Sendable, Hashable, CaseIterable {
  /// The connection is being opened.
  case reaching
  /// The application is being launched, or joined if it runs.
  case launching
  /// A person at the device must consent first (protocol 5.4).
  case waitingForConsent
}

extension Device {
  /// The friendly name, or the address of a device without one.
  public var presentedName: String {
    guard let friendlyName, !friendlyName.isEmpty else { return "\(endpoint)" }
    return friendlyName
  }

  /// What identifies the device in a list: its permanent identity, or its address while that is unknown.
  public var presentedID: String { uniqueID ?? "\(endpoint)" }
}
