/// The Cast button (Google's design checklist, "Cast button"): always there, always at the same place.
public struct CastButtonModel: Sendable, Hashable {
  /// What it shows.
  public enum State: Sendable, Hashable {
    /// Discovery has found no device.
    case noDevices
    /// Devices are in reach, and there is no session.
    case notConnected
    /// A session is being started, or what plays is being moved to another device: the icon moves.
    case connecting
    /// A session is active: the icon is filled.
    case connected
    /// The session has lost its connection and reconnects.
    case suspended
  }

  /// What a press leads to.
  public enum Press: Sendable, Hashable {
    /// The introduction, as nobody has seen it yet.
    case introduction
    /// The list of devices, or the reason why it is empty.
    case chooser
    /// The dialog about the device of the session.
    case controller
  }

  /// What it shows.
  public let state: State
  /// What a press leads to.
  public let press: Press
  /// Its accessible name, which says the state.
  public let label: String
  /// Why nothing can be cast, in words for a person; nil when devices are in reach.
  public let explanation: String?

  /// Whether the icon moves.
  public var isMoving: Bool { state == .connecting || state == .suspended }
  /// Whether the icon is filled.
  public var isFilled: Bool { state == .connected || state == .suspended }

  init(_ facts: PresentationFacts, introduction: IntroductionState) {
    let session = facts.openSession
    switch session?.phase {
    case .connecting, .moving: state = .connecting
    case .connected: state = facts.movingTo == nil ? .connected : .connecting
    case .suspended: state = .suspended
    case .ended, nil: state = facts.devices.isEmpty ? .noDevices : .notConnected
    }
    press = session != nil ? .controller : introduction == .unclaimed ? .introduction : .chooser
    let name = session?.deviceName ?? ""
    label =
      switch state {
      case .noDevices: "Cast: no devices"
      case .notConnected: "Cast"
      case .connecting: facts.movingTo.map { "Moving to \($0)" } ?? "Connecting to \(name)"
      case .connected: "Casting to \(name)"
      case .suspended: "Connection to \(name) lost, reconnecting"
      }
    explanation = state == .noDevices ? NoDevicesFound(facts).reason : nil
  }
}
