import COpenSSL

/// What the extensions of a certificate permit it, and those below it in a path (protocol 2.4).
struct CertificatePermissions {
  /// Marks every chain that contains it as one for audio devices.
  static let audioOnlyPolicy = "1.3.6.1.4.1.11129.2.5.2"

  private(set) var isAuthority = false
  /// Maximum number of intermediate certificates below it; nil sets no limit.
  private(set) var pathLimit: Int64?
  /// Nil when it is absent.
  private(set) var keyUsage: (signsData: Bool, signsCertificates: Bool)?
  private(set) var allowsClients = true
  private(set) var isAudioOnly = false
  private(set) var mapsAnyPolicy = false
  private(set) var hasNameConstraints = false
  private(set) var hasUnknownCritical = false

  /// The supported extensions, which may be critical.
  private static let understood: Set<Int32> = [
    NID_basic_constraints, NID_key_usage, NID_name_constraints, NID_policy_mappings, NID_certificate_policies,
    NID_ext_key_usage,
  ]

  /// Nil when a relevant one is malformed or occurs twice.
  init?(_ certificate: OpaquePointer) {
    for index in 0..<X509_get_ext_count(certificate) {
      guard let part = X509_get_ext(certificate, index) else { return nil }
      if X509_EXTENSION_get_critical(part) != 0,
        !Self.understood.contains(OBJ_obj2nid(X509_EXTENSION_get_object(part)))
      {
        hasUnknownCritical = true
      }
    }
    guard readConstraints(certificate), readUsage(certificate), readPurposes(certificate),
      readPolicies(certificate), readMappings(certificate)
    else { return nil }
    let names = Self.read(NID_name_constraints, of: certificate, free: { NAME_CONSTRAINTS_free($0) }) {
      (_: UnsafeMutablePointer<NAME_CONSTRAINTS>) in true
    }
    let alternatives = Self.readOpaque(
      NID_subject_alt_name, of: certificate, free: { GENERAL_NAMES_free($0) }
    ) { (_: OpaquePointer) in true }
    guard names != .malformed, alternatives != .malformed else { return nil }
    hasNameConstraints = names == .read(true)
  }

  /// Whether the issuer's name constraints allow the names of a certificate below it.
  static func permits(_ issuer: OpaquePointer, _ subject: OpaquePointer) -> Bool {
    // The check uses alternative names, which OpenSSL parses only when a purpose is checked.
    _ = X509_check_purpose(subject, -1, 0)
    let verdict = read(NID_name_constraints, of: issuer, free: { NAME_CONSTRAINTS_free($0) }) {
      (constraints: UnsafeMutablePointer<NAME_CONSTRAINTS>) in
      NAME_CONSTRAINTS_check(subject, constraints) == X509_V_OK
    }
    OpenSSLErrors.clear()
    return verdict == .absent || verdict == .read(true)
  }
}

// MARK: - Reading

extension CertificatePermissions {
  private enum Reading<Value: Equatable>: Equatable {
    case absent
    case malformed
    case read(Value)
  }

  /// Structures that Swift knows are imported as typed pointers, others as opaque ones.
  private static func readOpaque<Value>(
    _ kind: Int32, of certificate: OpaquePointer, free: (OpaquePointer) -> Void,
    _ body: (OpaquePointer) -> Value
  ) -> Reading<Value> {
    var state: Int32 = 0
    guard let raw = X509_get_ext_d2i(certificate, kind, &state, nil) else {
      OpenSSLErrors.clear()
      return state == -1 ? .absent : .malformed
    }
    defer { free(OpaquePointer(raw)) }
    return .read(body(OpaquePointer(raw)))
  }

  private static func read<Structure, Value>(
    _ kind: Int32, of certificate: OpaquePointer, free: (UnsafeMutablePointer<Structure>) -> Void,
    _ body: (UnsafeMutablePointer<Structure>) -> Value
  ) -> Reading<Value> {
    readOpaque(kind, of: certificate, free: { free(UnsafeMutablePointer($0)) }) {
      body(UnsafeMutablePointer($0))
    }
  }

  private mutating func readConstraints(_ certificate: OpaquePointer) -> Bool {
    let reading = Self.read(NID_basic_constraints, of: certificate, free: { BASIC_CONSTRAINTS_free($0) }) {
      (constraints: UnsafeMutablePointer<BASIC_CONSTRAINTS>) -> [Int64?] in
      guard let limit = constraints.pointee.pathlen else {
        return [constraints.pointee.ca == 0 ? 0 : 1, nil]
      }
      var number: Int64 = 0
      // A limit that is too large for an integer exceeds every bound.
      if ASN1_INTEGER_get_int64(&number, limit) != 1 { number = .max }
      return [constraints.pointee.ca == 0 ? 0 : 1, number]
    }
    guard case .read(let values) = reading else { return reading == .absent }
    isAuthority = values[0] == 1
    pathLimit = values[1]
    return (pathLimit ?? 0) >= 0
  }

  private mutating func readUsage(_ certificate: OpaquePointer) -> Bool {
    let reading = Self.read(NID_key_usage, of: certificate, free: { ASN1_BIT_STRING_free($0) }) {
      (bits: UnsafeMutablePointer<ASN1_BIT_STRING>) in
      [ASN1_BIT_STRING_get_bit(bits, 0) == 1, ASN1_BIT_STRING_get_bit(bits, 5) == 1]
    }
    guard case .read(let bits) = reading else { return reading == .absent }
    keyUsage = (bits[0], bits[1])
    return true
  }

  private mutating func readPurposes(_ certificate: OpaquePointer) -> Bool {
    let reading = Self.readOpaque(NID_ext_key_usage, of: certificate, free: { EXTENDED_KEY_USAGE_free($0) }) {
      (purposes: OpaquePointer) in
      Self.elements(purposes).contains {
        [NID_client_auth, NID_anyExtendedKeyUsage].contains(OBJ_obj2nid(OpaquePointer($0)))
      }
    }
    guard case .read(let allows) = reading else { return reading == .absent }
    allowsClients = allows
    return true
  }

  private mutating func readPolicies(_ certificate: OpaquePointer) -> Bool {
    guard let wanted = OBJ_txt2obj(Self.audioOnlyPolicy, 1) else { return false }
    defer { ASN1_OBJECT_free(wanted) }
    let reading = Self.readOpaque(
      NID_certificate_policies, of: certificate, free: { CERTIFICATEPOLICIES_free($0) }
    ) { (policies: OpaquePointer) in
      Self.elements(policies).contains {
        OBJ_cmp($0.assumingMemoryBound(to: POLICYINFO.self).pointee.policyid, wanted) == 0
      }
    }
    guard case .read(let isAudioOnly) = reading else { return reading == .absent }
    self.isAudioOnly = isAudioOnly
    return true
  }

  private mutating func readMappings(_ certificate: OpaquePointer) -> Bool {
    let reading = Self.readOpaque(
      NID_policy_mappings, of: certificate,
      free: { stack in
        OPENSSL_sk_pop_free(stack) { POLICY_MAPPING_free($0?.assumingMemoryBound(to: POLICY_MAPPING.self)) }
      }
    ) { (mappings: OpaquePointer) in
      Self.elements(mappings).contains { element in
        let mapping = element.assumingMemoryBound(to: POLICY_MAPPING.self).pointee
        return OBJ_obj2nid(mapping.issuerDomainPolicy) == NID_any_policy
          || OBJ_obj2nid(mapping.subjectDomainPolicy) == NID_any_policy
      }
    }
    guard case .read(let mapsAny) = reading else { return reading == .absent }
    mapsAnyPolicy = mapsAny
    return true
  }

  /// The elements of an OpenSSL stack.
  private static func elements(_ stack: OpaquePointer) -> [UnsafeMutableRawPointer] {
    (0..<max(0, OPENSSL_sk_num(stack))).compactMap { OPENSSL_sk_value(stack, $0) }
  }
}
