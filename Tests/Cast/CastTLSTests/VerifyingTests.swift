import CastTLS
import Testing

@Suite("A context that judges certificates") struct VerifyingTests {
  @Test("a connection needs a name to judge by", arguments: [nil, "", ".", "a\u{0}b"])
  func name(name: String?) throws {
    let context = try TLSContext.verifyingClient()
    #expect(throws: TLSError.self) {
      try TLSEngine(context: context, role: .client, serverName: name)
    }
  }

  @Test("roots that cannot be read are an error that names them")
  func roots() {
    let error = #expect(throws: TLSError.self) {
      try TLSContext.verifyingClient(extraRoots: "/nonexistent/roots.pem")
    }
    #expect(error?.description.contains("/nonexistent/roots.pem") == true)
  }
}
