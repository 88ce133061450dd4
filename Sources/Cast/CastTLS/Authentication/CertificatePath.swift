/// The search for a path from a device's certificate to a root, under the rules of protocol 2.4.
///
/// OpenSSL's own search differs from these rules: it checks the root's dates, refuses SHA-1 or short keys by a security level and
/// not by rule, and reports one of several causes. So the search is implemented here; OpenSSL parses and verifies.
struct CertificatePath {
  /// Bounds the signature verifications that a hostile device can cause. A path needs two or three.
  private static let attemptLimit = 32

  private let roots: [Certificate]
  private let intermediates: [Certificate]
  private let now: Int
  private var attempts = 0
  /// The failure of the longest attempt; a failure near the device is the least informative.
  private var failure: (depth: Int, refusal: ChainRefusal)?

  /// Builds the path: the target first, the root last.
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - role: the target's role, such as "the device's certificate"; for errors.
  static func find(
    from target: Certificate, over intermediates: [Certificate], to roots: [Certificate], at now: Int,
    role: String = "the device's certificate"
  ) throws(ChainRefusal) -> [Certificate] {
    let name = Self.name(role, target)
    if let flaw = Self.flaw(ofTarget: target, at: now) {
      throw ChainRefusal(flaw, name, detail: Self.detail(flaw, target))
    }
    var search = CertificatePath(roots: roots, intermediates: intermediates, now: now)
    if let path = search.extend([target], unused: Array(intermediates.indices), name) { return path }
    throw search.failure?.refusal ?? ChainRefusal(.noIssuer, name)
  }

  private static func flaw(ofTarget target: Certificate, at now: Int) -> CertificateRule? {
    if let flaw = dateFlaw(target, now) ?? target.keyFlaw ?? target.algorithmFlaw { return flaw }
    if target.permissions.hasUnknownCritical { return .unknownCriticalExtension }
    if target.permissions.keyUsage?.signsData != true { return .noDigitalSignature }
    return target.permissions.allowsClients ? nil : .purposeNotAllowed
  }

  private static func dateFlaw(_ certificate: Certificate, _ now: Int) -> CertificateRule? {
    if certificate.notBefore > now { return .notYetValid }
    return certificate.notAfter < now ? .expired : nil
  }

  private mutating func extend(_ path: [Certificate], unused: [Int], _ name: String) -> [Certificate]? {
    guard let last = path.last else { return nil }
    var hasCandidate = false
    for root in roots where last.isNamedIssuer(root) {
      hasCandidate = true
      if accepts(root, above: path, isRoot: true, name) { return path + [root] }
    }
    for index in unused where last.isNamedIssuer(intermediates[index]) {
      hasCandidate = true
      let issuer = intermediates[index]
      guard accepts(issuer, above: path, isRoot: false, name) else { continue }
      let next = Self.name("the intermediate certificate", issuer)
      if let whole = extend(path + [issuer], unused: unused.filter { $0 != index }, next) { return whole }
    }
    if !hasCandidate { note(.noIssuer, name, depth: path.count) }
    return nil
  }

  /// Whether a certificate may issue the others.
  private mutating func accepts(
    _ issuer: Certificate, above path: [Certificate], isRoot: Bool, _ lastName: String
  ) -> Bool {
    guard let last = path.last else { return false }
    attempts += 1
    guard attempts <= Self.attemptLimit else {
      note(.tooManyAttempts, lastName, depth: .max)
      return false
    }
    guard last.isSigned(by: issuer) else {
      note(.signatureWrong, lastName, depth: path.count)
      return false
    }
    guard let flaw = flaw(ofIssuer: issuer, above: path, isRoot: isRoot) else { return true }
    let name = Self.name(isRoot ? "the root" : "the intermediate certificate", issuer)
    note(flaw, name, detail: Self.detail(flaw, issuer), depth: path.count + 1)
    return false
  }

  private func flaw(
    ofIssuer issuer: Certificate, above path: [Certificate], isRoot: Bool
  ) -> CertificateRule? {
    // A root is trusted by choice, whatever its own dates and signature.
    if !isRoot, let flaw = Self.dateFlaw(issuer, now) ?? issuer.algorithmFlaw { return flaw }
    if let flaw = issuer.keyFlaw { return flaw }
    let permissions = issuer.permissions
    if permissions.hasUnknownCritical { return .unknownCriticalExtension }
    if !permissions.isAuthority { return .notAnAuthority }
    if permissions.keyUsage?.signsCertificates == false { return .cannotSignCertificates }
    if !isRoot, !permissions.allowsClients { return .purposeNotAllowed }
    if let limit = permissions.pathLimit {
      guard limit <= 255 else { return .pathLimitTooLarge }
      guard path.dropFirst().count(where: { !$0.isSelfIssued }) <= limit else { return .pathTooLong }
    }
    if permissions.mapsAnyPolicy { return .anyPolicyMapped }
    if permissions.hasNameConstraints,
      !path.allSatisfy({ CertificatePermissions.permits(issuer.pointer, $0.pointer) })
    {
      return .nameNotPermitted
    }
    return nil
  }

  private mutating func note(_ rule: CertificateRule, _ name: String, detail: String? = nil, depth: Int) {
    guard depth > failure?.depth ?? 0 else { return }
    failure = (depth, ChainRefusal(rule, name, detail: detail))
  }

  private static func name(_ role: String, _ certificate: Certificate) -> String {
    certificate.commonName.map { "\(role) “\($0)”" } ?? role
  }

  private static func detail(_ flaw: CertificateRule, _ certificate: Certificate) -> String? {
    switch flaw {
    case .expired: "it was good until \(UTCText.of(certificate.notAfter))"
    case .notYetValid: "it is good from \(UTCText.of(certificate.notBefore))"
    case .unreadable, .keyNotRSA, .keyTooShort, .algorithmsDiffer, .algorithmNotAllowed,
      .noDigitalSignature, .purposeNotAllowed, .noIssuer, .signatureWrong, .notAnAuthority,
      .cannotSignCertificates, .pathTooLong, .pathLimitTooLarge, .nameNotPermitted, .anyPolicyMapped,
      .unknownCriticalExtension, .tooManyAttempts:
      nil
    }
  }
}
