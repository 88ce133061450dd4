public import CastProtocol

/// How much a device has to prove before a session talks to it (protocol 2).
///
/// The proof is asked for on each connection, right after TLS and before anything else is said: the device signs random bytes
/// together with the certificate of this very connection. A device that cannot prove what is wanted is not connected to.
public struct DeviceTrust: Sendable {
  /// What is wanted.
  public var policy: DeviceTrustPolicy
  /// Whether a signature over a SHA-1 hash will do. Devices of the first years make no other; false by default.
  public var acceptsSHA1 = false
  /// Whether the answer has to name the nonce that was sent. Without, an old answer cannot be told from a new one; true by
  /// default.
  public var requiresNonce = true
  /// By how many seconds the clocks may differ before the days of the device's TLS certificate are called wrong; default 0 for
  /// `roots`, where they refuse a device, and a day otherwise, where they are told in `DeviceIdentity.windowProblem`.
  public var clockAllowance: Duration
  /// How long the device may take to answer; nil, the default, is what is left of `SessionOptions.connectTimeout`.
  public var patience: Duration?
  /// Asked for the pin of another device when a session is transferred there; nil, and a nil answer, mean first use.
  public var pinOfOther: (@Sendable (Device) -> DevicePin?)?
  /// Called with the result of each attempt to connect, on any thread, before the session continues; nil calls nobody.
  public var report: (@Sendable (Device, DeviceVerdict) async -> Void)?

  /// Trust under a policy.
  /// - Parameters:
  ///   - policy: what is wanted.
  ///   - report: called with the result of each attempt to connect; keep the key it names to pin it later.
  public init(
    _ policy: DeviceTrustPolicy, report: (@Sendable (Device, DeviceVerdict) async -> Void)? = nil
  ) {
    self.policy = policy
    self.report = report
    clockAllowance = if case .roots = policy { .zero } else { .seconds(86_400) }
  }

  /// Nothing is asked.
  public static let off = DeviceTrust(.off)
}

/// What a device has to prove.
public enum DeviceTrustPolicy: Sendable {
  /// Nothing: whoever answers at the address is the device.
  case off
  /// That it holds the key it held before. Where its key comes from is not asked, so a receiver without a maker's certificate
  /// can be pinned, too.
  ///
  /// With nil any key will do at first; the session then keeps to it. A device that cannot prove anything is let pass, and
  /// reported as `DeviceVerdict.unproved`; one that gives a wrong proof is refused. With a pin both are refused.
  ///
  /// A group of speakers answers with the key of its leader, and the leader changes: without a pin its key is reported, not
  /// compared. A given pin is always compared, because a device can announce anything.
  case pin(DevicePin?)
  /// That its maker's certificate leads to one of these roots. They are not part of this SDK: see <doc:DeviceAuthentication>.
  case roots(DeviceRoots)
}

/// The key of a device: what stays the same of it when its name, its address and its TLS certificate change.
public struct DevicePin: Sendable, Hashable, CustomStringConvertible {
  /// SHA-256 of the key's SubjectPublicKeyInfo: 64 lower-case hexadecimal digits.
  public let keyHash: String

  /// The pin written as 64 hexadecimal digits of either case; nil for any other text.
  public init?(_ text: String) {
    let digits = text.lowercased()
    guard digits.utf8.count == 64, digits.utf8.allSatisfy({ Self.digits.contains($0) }) else { return nil }
    keyHash = digits
  }

  /// The key of a device that has proved it.
  public init(_ identity: DeviceIdentity) { keyHash = identity.keyHash }

  private static let digits = Set("0123456789abcdef".utf8)

  /// The digits.
  public var description: String { keyHash }
}
