public import CastProtocol

/// What a device has proved about itself.
public struct DeviceIdentity: Sendable, Hashable {
  /// SHA-256 of the device key's SubjectPublicKeyInfo: 64 lower-case hexadecimal digits. The device holds the private part of it.
  public var keyHash: String
  /// The common name of the device's certificate, mostly its model and an id; nil when it has none. Only as true as
  /// `rootFingerprint` makes it.
  public var commonName: String?
  /// The device's certificates allow audio alone (protocol 2.4).
  public var isAudioOnly: Bool
  /// When the device's certificate begins to be good, in seconds since 1970.
  public var notBefore: Int
  /// When the device's certificate ends, in seconds since 1970.
  public var notAfter: Int
  /// The hash under the signature, such as `SHA-256`.
  public var hash: String
  /// SHA-256 of the root that the device's certificate leads to; nil when no root was asked for.
  public var rootFingerprint: String?
  /// What is wrong with the days of the device's TLS certificate, in words: as a rule a clock. Nil when nothing is.
  public var windowProblem: String?
}

/// What became of the question who a device is.
public enum DeviceVerdict: Sendable {
  /// It has proved what was wanted.
  case proved(DeviceIdentity)
  /// It cannot prove anything, and nothing is known that it would have to prove; the session goes on. The error says why.
  case unproved(CastError)
  /// It is not connected to, for this reason.
  case refused(CastError)
}
