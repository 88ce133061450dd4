import Testing

@testable import CastTLS

@Suite struct Ed25519KeyTests {
  @Test("a signature is that of RFC 8032, and fits its key and its text alone")
  func vector() throws {
    // RFC 8032, 7.1, test 2, as PKCS #8.
    let seed = bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    let key = try Ed25519Key(der: bytes("302e020100300506032b657004220420") + seed)
    let signature = try key.signature(over: [0x72])
    #expect(
      signature
        == bytes(
          "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ))
    let publicKey = try key.publicKey
    #expect(publicKey.suffix(32) == bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
    #expect(Ed25519Key.verifies(signature, over: [0x72], publicKey: publicKey))
    #expect(!Ed25519Key.verifies(signature, over: [0x73], publicKey: publicKey))
    #expect(!Ed25519Key.verifies(signature.reversed(), over: [0x72], publicKey: publicKey))
    #expect(!Ed25519Key.verifies(Array(signature.dropLast()), over: [0x72], publicKey: publicKey))
    #expect(!Ed25519Key.verifies(signature, over: [0x72], publicKey: try Ed25519Key.generate().publicKey))
    #expect(!Ed25519Key.verifies(signature, over: [0x72], publicKey: []))
    #expect(
      !Ed25519Key.verifies(signature, over: [0x72], publicKey: try TLSKey.generate(bits: 1024).publicKey))
  }

  @Test("a key is written and read again, and a key of another kind is refused")
  func reading() throws {
    let key = try Ed25519Key.generate()
    #expect(try Ed25519Key(der: key.der).publicKey == key.publicKey)
    #expect(try Ed25519Key.generate().der != key.der)
    #expect(throws: TLSError.self) { try Ed25519Key(der: TLSKey.generate(bits: 1024).der) }
    #expect(throws: TLSError.self) { try Ed25519Key(der: []) }
  }

  private func bytes(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.utf8.count, by: 2).compactMap { index in
      UInt8(text.dropFirst(index).prefix(2), radix: 16)
    }
  }
}
