import Testing

@testable import CastqPostgres

@Suite("How the centre is called")
struct CentreAddressTests {
  private func address(_ text: String) -> CentreAddress {
    CentreAddress(text) { ["localhost", "127.0.0.1", "::1"].contains($0) }
  }

  private func says(_ key: String, _ text: String) -> String? {
    address(text).defaults.first { $0.key == key }?.value
  }

  @Test(
    "a server on another host has to prove its name and that it knows the password",
    arguments: [
      "postgresql://a:b@db.example/fleet", "postgresql://db.example", "host=db.example",
      "host=localhost,db.example",
      "host=localhost hostaddr=192.0.2.7", "postgresql://[2001:db8::1]/x", "service=fleet",
      "postgresql://a@127.0.0.1,192.0.2.7/x",
    ])
  func others(text: String) {
    #expect(says("sslmode", text) == "verify-full" && says("channel_binding", text) == "require")
    #expect(address(text).weakness == nil)
  }

  @Test(
    "one on this computer does not",
    arguments: [
      "postgresql://a:b@127.0.0.1/fleet", "postgresql:///fleet", "host=/run/postgresql", "host=localhost",
      "postgresql://[::1]:5433/x", "host=db.example hostaddr=127.0.0.1", "dbname=fleet",
    ])
  func own(text: String) {
    #expect(address(text).defaults.isEmpty && address(text).weakness == nil)
  }

  @Test(
    "an address may allow less, which is said",
    arguments: ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"])
  func weaker(mode: String) {
    let text = "postgresql://a:s3cret@db.example/x?sslmode=\(mode)"
    #expect(says("channel_binding", text) == nil)
    #expect((address(text).weakness == nil) == (mode == "verify-full"))
    #expect(address(text).weakness?.contains("s3cret") != true && address(text).hasPassword)
  }

  @Test(
    "a certificate in place of a password has no channel to bind, and authorities that are named are those")
  func certificate() {
    let text = "postgresql://a@db.example/x?sslcert=/c&sslrootcert=/r"
    #expect(says("sslmode", text) == "verify-full" && says("channel_binding", text) == nil)
    #expect(says("sslrootcert", text) == nil && !address(text).hasPassword)
  }
}
