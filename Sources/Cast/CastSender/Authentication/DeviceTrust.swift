public import CastProtocol

/// The proof of identity that a device must give before a session talks to it (protocol 2).
///
/// The proof is requested on each connection, right after TLS: the device signs random bytes together with the certificate of this
/// connection. Until it is there, nothing that the device says takes effect, and nothing is loaded. A connection to a device that
/// fails is closed.
public struct DeviceTrust: Sendable {
  /// The required proof.
  public var policy: DeviceTrustPolicy
  /// Whether a signature over a SHA-1 hash is accepted. Devices of the first years support no other; false by default.
  public var acceptsSHA1 = false
  /// Whether the answer must contain the nonce that was sent. Without it, a replayed answer cannot be detected; true by default.
  public var requiresNonce = true
  /// Tolerance for clock differences when the validity of the device's TLS certificate is checked, in whole seconds; default 0 for
  /// `roots`, where a violation refuses the device, and a day otherwise, where it is reported in `DeviceIdentity.windowProblem`.
  public var clockAllowance: Duration
  /// Time limit for the device's answer; nil, the default, is the remaining `SessionOptions.connectTimeout`.
  public var patience: Duration?
  /// Whether the application may be launched while the device proves its identity, if the device displays nothing; true by default.
  /// The policy `roots` always waits, and so does a launch with `LaunchOptions.credentials`. Any other launch
  /// names the application and the language, and no media.
  public var launchesEarly = true
  /// Returns the pin of another device when a session is transferred to it, or sets the volume of it as a
  /// member of a group; nil, and a nil result, mean first use.
  public var pinOfOther: (@Sendable (Device) -> DevicePin?)?
  /// Called with the result of each connection attempt, on any thread, before the session continues; nil calls nothing.
  public var report: (@Sendable (Device, DeviceVerdict) async -> Void)?

  /// Creates a trust with a policy.
  /// - Parameters:
  ///   - policy: the required proof.
  ///   - report: called with the result of each connection attempt; store the key in it to pin it later.
  public init(
    _ policy: DeviceTrustPolicy, report: (@Sendable (Device, DeviceVerdict) async -> Void)? = nil
  ) {
    self.policy = policy
    self.report = report
    clockAllowance = if case .roots = policy { .zero } else { .seconds(86_400) }
  }

  /// No proof is required.
  public static let off = DeviceTrust(.off)
}

/// What a device must prove.
public enum DeviceTrustPolicy: Sendable {
  /// Nothing: any device at the address is accepted.
  case off
  /// That it holds the key it held before. The origin of the key is not checked, so a receiver without a maker's certificate can be
  /// pinned, too.
  ///
  /// With nil any key is accepted at first; the session then requires the same key. A device that cannot prove anything is
  /// accepted, and reported as `DeviceVerdict.unproved`; one that gives a wrong proof is refused. With a pin both are refused.
  ///
  /// A group of speakers answers with the key of its leader, and the leader changes: without a pin its key is reported, not
  /// compared. A given pin is always compared, because a device can announce anything.
  case pin(DevicePin?)
  /// That its maker's certificate leads to one of these roots. They are not part of this SDK: see <doc:DeviceAuthentication>.
  case roots(DeviceRoots)
}

/// The key of a device, which stays the same when its name, its address and its TLS certificate change.
public struct DevicePin: Sendable, Hashable, CustomStringConvertible {
  /// SHA-256 of the key's SubjectPublicKeyInfo: 64 lower-case hexadecimal digits.
  public let keyHash: String

  /// The pin from 64 hexadecimal digits of either case; nil for any other text.
  public init?(_ text: String) {
    let digits = text.lowercased()
    guard digits.utf8.count == 64, digits.utf8.allSatisfy({ Self.digits.contains($0) }) else { return nil }
    keyHash = digits
  }

  /// The key of a device that has proved its identity.
  public init(_ identity: DeviceIdentity) { keyHash = identity.keyHash }

  private static let digits = Set("0123456789abcdef".utf8)

  /// The digits.
  public var description: String { keyHash }
}
