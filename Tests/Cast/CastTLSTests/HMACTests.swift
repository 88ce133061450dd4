import CastTLS
import Testing

@Suite("HMAC-SHA256")
struct HMACTests {
  @Test(
    "the digests are those of RFC 4231, 4.3 and 4.4",
    arguments: [
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
    ])
  func vectors(_ key: [UInt8], _ bytes: [UInt8], _ digest: String) throws {
    #expect(try HMACSHA256.text(of: bytes, key: key) == digest)
  }
}
