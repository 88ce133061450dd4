import COpenSSL

/// A version of the TLS protocol. Those before 1.2 exist to simulate old devices.
package enum TLSVersion: Int, Hashable, Sendable, CaseIterable, Comparable {
  case v1_0, v1_1, v1_2, v1_3

  /// The number OpenSSL and the wire use.
  var code: Int32 {
    switch self {
    case .v1_0: TLS1_VERSION
    case .v1_1: TLS1_1_VERSION
    case .v1_2: TLS1_2_VERSION
    case .v1_3: TLS1_3_VERSION
    }
  }

  package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }
}
