public import CastProtocol

/// The proved identity of a device.
public struct DeviceIdentity: Sendable, Hashable {
  /// SHA-256 of the device key's SubjectPublicKeyInfo: 64 lower-case hexadecimal digits. The device holds the private key.
  public var keyHash: String
  /// The common name of the device's certificate, mostly its model and an id; nil when it has none. It is only as trustworthy as
  /// `rootFingerprint`.
  public var commonName: String?
  /// Whether the device's certificates allow audio only (protocol 2.4).
  public var isAudioOnly: Bool
  /// Start of the validity of the device's certificate, in seconds since 1970.
  public var notBefore: Int
  /// End of the validity of the device's certificate, in seconds since 1970.
  public var notAfter: Int
  /// The hash algorithm of the signature, such as `SHA-256`.
  public var hash: String
  /// SHA-256 of the root of the device's certificate; nil when no root was required.
  public var rootFingerprint: String?
  /// A violation of the validity period of the device's TLS certificate, as a message: usually a wrong clock. Nil when there is
  /// none.
  public var windowProblem: String?
}

/// The result of a device's authentication.
public enum DeviceVerdict: Sendable {
  /// It has given the required proof.
  case proved(DeviceIdentity)
  /// It cannot prove its identity, and no key is known that it would have to prove; the session continues. The error is the cause.
  case unproved(CastError)
  /// The connection was refused for this reason.
  case refused(CastError)
}
