/// An error in a certificate.
package enum CertificateFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not a certificate.
  case notX509
  /// A part cannot be parsed; with a message.
  case malformed(String)

  package var description: String {
    switch self {
    case .notX509: "these bytes are not an X.509 certificate"
    case .malformed(let part): "the certificate cannot be read: \(part)"
    }
  }
}

/// A rule for the certificates of a path from a device to a root (protocol 2.4), named by its violation.
package enum CertificateRule: String, Hashable, Sendable, CaseIterable {
  case unreadable = "cannot be read"
  case notYetValid = "is not valid yet"
  case expired = "has expired"
  case keyNotRSA = "has a key that is not RSA"
  case keyTooShort = "has a key of fewer than 2048 bits"
  case algorithmsDiffer = "names two different signature algorithms"
  case algorithmNotAllowed = "is signed with an algorithm that is not allowed"
  case noDigitalSignature = "may not make signatures (keyUsage)"
  case purposeNotAllowed = "may not be used for clients (extKeyUsage)"
  case noIssuer = "has an issuer that is neither among the roots nor sent along"
  case signatureWrong = "was not signed by the issuer it names"
  case notAnAuthority = "may not issue certificates (basicConstraints)"
  case cannotSignCertificates = "may not sign certificates (keyUsage)"
  case pathTooLong = "stands above more intermediate certificates than it allows"
  case pathLimitTooLarge = "has a path length limit above 255"
  case nameNotPermitted = "forbids a name below it (nameConstraints)"
  case anyPolicyMapped = "maps the policy that stands for all (policyMappings)"
  case unknownCriticalExtension = "has a critical extension that is not understood"
  case tooManyAttempts = "has too many possible issuers"
}

/// A path that could not be built: the certificate and the rule that it violates.
package struct ChainRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package var rule: CertificateRule
  /// The certificate for a person: its role in the path, and its name if it has one.
  package var certificate: String
  /// Additional information, such as dates; nil for none.
  package var detail: String?
  /// Set when the device's own certificate cannot be parsed.
  package var deviceFault: CertificateFault?

  package init(
    _ rule: CertificateRule, _ certificate: String, detail: String? = nil,
    deviceFault: CertificateFault? = nil
  ) {
    self.rule = rule
    self.certificate = certificate
    self.detail = detail
    self.deviceFault = deviceFault
  }

  package var description: String {
    "\(certificate) \(rule.rawValue)" + (detail.map { ": \($0)" } ?? "")
  }
}
