/// Where the parts of a certificate lie in its bytes.
///
/// OpenSSL reads everything else; this much is read by hand for two reasons. Some certificates of the Cast PKI carry serial
/// numbers that are written longer than DER allows, which OpenSSL refuses, like every strict reader (protocol 2.4): it is
/// given a copy with a proper number. And what the issuer has signed are the bytes as they came, not that copy.
struct CertificateLayout {
  let bytes: [UInt8]
  /// The part that is signed.
  let signedPart: Range<Int>
  /// The content of the serial number.
  let serial: Range<Int>
  /// The algorithm as the signed part names it.
  let innerAlgorithm: Range<Int>
  /// The algorithm as it stands before the signature.
  let outerAlgorithm: Range<Int>
  /// The SubjectPublicKeyInfo.
  let publicKey: Range<Int>
  let signature: Range<Int>
  private let version: Range<Int>

  /// Nil when the bytes do not have a certificate's shape, or go on after it.
  init?(_ bytes: [UInt8]) {
    var outermost = DERReader(bytes)
    guard let certificate = outermost.next(DERReader.sequence), outermost.isAtEnd else { return nil }
    var parts = DERReader(bytes, in: certificate.content)
    guard let signed = parts.next(DERReader.sequence), let outer = parts.next(DERReader.sequence),
      let signature = parts.next(DERReader.bitString), parts.isAtEnd,
      let unusedBits = bytes[signature.content].first, unusedBits == 0
    else { return nil }
    var fields = DERReader(bytes, in: signed.content)
    let version = fields.next(DERReader.version)
    guard let serial = fields.next(DERReader.integer), !serial.content.isEmpty,
      let inner = fields.next(DERReader.sequence), fields.next(DERReader.sequence) != nil,
      fields.next(DERReader.sequence) != nil, fields.next(DERReader.sequence) != nil,
      let publicKey = fields.next(DERReader.sequence)
    else { return nil }
    self.bytes = bytes
    signedPart = signed.whole
    self.serial = serial.content
    innerAlgorithm = inner.whole
    outerAlgorithm = outer.whole
    self.publicKey = publicKey.whole
    self.signature = signature.content.dropFirst()
    self.version = version?.whole ?? signed.content.lowerBound..<signed.content.lowerBound
  }

  /// The serial number without superfluous leading bytes.
  var shortestSerial: ArraySlice<UInt8> {
    var serial = bytes[self.serial]
    while serial.count > 1, let first = serial.first, let second = serial.dropFirst().first,
      (first == 0 && second < 0x80) || (first == 0xFF && second >= 0x80)
    {
      serial = serial.dropFirst()
    }
    return serial
  }

  /// The serial number when it is positive and has no more than 64 bits (protocol 2.6); nil for others.
  var smallSerial: UInt64? {
    var digits = shortestSerial
    guard let first = digits.first, first < 0x80 else { return nil }
    if first == 0 { digits = digits.dropFirst() }
    guard digits.count <= 8 else { return nil }
    return digits.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The certificate as OpenSSL takes it.
  var strictBytes: [UInt8] {
    let shortest = shortestSerial
    guard shortest.count < serial.count else { return bytes }
    let signed = DERWriter.element(
      DERReader.sequence,
      bytes[version] + DERWriter.element(DERReader.integer, Array(shortest))
        + bytes[serial.upperBound..<signedPart.upperBound])
    return DERWriter.sequence(signed, Array(bytes[signedPart.upperBound...]))
  }
}
