import CastGuard
import CastHTTP
import CastTLS
import Foundation
import Testing

/// A certificate a server shows, and what a client that knows its root makes of it.
struct Certificate: Sendable, CustomTestStringConvertible {
  var name: String
  var commonName = "localhost"
  var host = "localhost"
  /// Days from now.
  var days = -1..<30
  var isKnown = true
  /// What the refusal says; nil when it is trusted.
  var refusal: String?

  var testDescription: String { name }

  static let all = [
    Certificate(name: "right"),
    Certificate(name: "any case", commonName: "LocalHost"),
    Certificate(name: "another name", commonName: "example.com", refusal: "hostname mismatch"),
    Certificate(name: "a partial wildcard", commonName: "local*", refusal: "hostname mismatch"),
    Certificate(
      name: "an address in the common name", commonName: "127.0.0.1", host: "127.0.0.1",
      refusal: "IP address mismatch"),
    Certificate(name: "expired", days: -30 ..< -1, refusal: "certificate has expired"),
    Certificate(name: "not yet valid", days: 1..<30, refusal: "certificate is not yet valid"),
    Certificate(name: "from nobody known", isKnown: false, refusal: "self-signed certificate"),
  ]
}

@Suite("Trust in servers", .timeLimit(.minutes(5))) struct TrustTests {
  private static let key = Result { try TLSKey.generate() }
  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

  private static func identity(_ commonName: String, days: Range<Int> = -1..<30) throws -> TLSIdentity {
    let now = Int(Date().timeIntervalSince1970)
    return try TLSIdentity.selfSigned(
      key: key.get(), commonName: commonName, notBefore: now + days.lowerBound * 86_400,
      notAfter: now + days.upperBound * 86_400)
  }

  private static func withRoots(
    _ identity: TLSIdentity, _ body: (String) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let base64 = Data(identity.certificateDER).base64EncodedString(options: .lineLength64Characters)
    let pem = "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
    let path = folder.path("roots.pem")
    try pem.write(toFile: path, atomically: true, encoding: .utf8)
    try await body(path)
  }

  @Test("a certificate must be known, valid now, and for the host", arguments: Certificate.all)
  func judgement(certificate: Certificate) async throws {
    let identity = try Self.identity(certificate.commonName, days: certificate.days)
    let known = certificate.isKnown ? identity : try Self.identity("somebody else")
    try await Self.withRoots(known) { roots in
      try await ScriptedServer.run(tls: .server(identity: identity), answer: { _ in [.send(Self.answer)] }) {
        server in
        let fetch = HTTPFetch("https://\(certificate.host):\(server.port)/", under: .owner, byteLimit: 10)
        let client = HTTPClient(extraRoots: roots)
        guard let refusal = certificate.refusal else {
          let fetched = try await client.fetch(fetch)
          #expect(fetched.body.count == 5)
          return
        }
        let error = await #expect(throws: HTTPFetchError.self) { try await client.fetch(fetch) }
        #expect(error?.kind == .untrusted, "\(String(describing: error))")
        #expect(
          error?.description.lowercased().contains(refusal.lowercased()) == true,
          "\(String(describing: error))")
        #expect(error?.certificateFlaw?.lowercased().contains(refusal.lowercased()) == true)
        // Nothing of the request was shown to a server that is not trusted.
        #expect(server.requests.isEmpty)
        try await server.waitForClosed(1)
      }
    }
  }

  @Test("a redirection may lead to https, and from there to http only when that is allowed")
  func downgrade() async throws {
    let identity = try Self.identity("localhost")
    try await Self.withRoots(identity) { roots in
      try await ScriptedServer.run(answer: { _ in [.send(Self.answer)] }) { plain in
        let port = plain.port
        let redirect = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(port)/\r\n\r\n"
        try await ScriptedServer.run(tls: .server(identity: identity), answer: { _ in [.send(redirect)] }) {
          secure in
          let securePort = secure.port
          try await ScriptedServer.run(answer: { _ in
            [.send("HTTP/1.1 302 Found\r\nLocation: https://localhost:\(securePort)/\r\n\r\n")]
          }) { first in
            let client = HTTPClient(extraRoots: roots)
            var fetch = HTTPFetch("http://127.0.0.1:\(first.port)/", under: .owner, byteLimit: 10)
            let error = await #expect(throws: HTTPFetchError.self) { try await client.fetch(fetch) }
            #expect(error?.kind == .redirect)
            #expect(plain.requests.isEmpty)
            fetch.allowsDowngrade = true
            let fetched = try await client.fetch(fetch)
            #expect(fetched.address == "http://127.0.0.1:\(port)/")
          }
        }
      }
    }
  }

  @Test(
    "over TLS, a body that ends with the connection needs a farewell, or it may have been cut",
    arguments: [true, false])
  func farewell(isSaid: Bool) async throws {
    let identity = try Self.identity("localhost")
    try await Self.withRoots(identity) { roots in
      try await ScriptedServer.run(
        tls: .server(identity: identity),
        answer: { _ in [.send("HTTP/1.1 200 OK\r\n\r\nhello"), isSaid ? .close : .cut] }
      ) { server in
        let client = HTTPClient(extraRoots: roots)
        let fetch = HTTPFetch("https://localhost:\(server.port)/", under: .owner, byteLimit: 10)
        if isSaid {
          let fetched = try await client.fetch(fetch)
          #expect(fetched.body.count == 5)
        } else {
          let error = await #expect(throws: HTTPFetchError.self) { try await client.fetch(fetch) }
          #expect(error?.kind == .truncated)
        }
      }
    }
  }

  @Test(
    "a server of another make, with a certificate from a private authority, for a name and an address",
    .enabled(if: TemporaryFolder.hasOpenSSL, "there is no openssl here"))
  func foreign() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.makeAuthority(names: "DNS:localhost,IP:127.0.0.1")
    let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try Data(content).write(to: URL(filePath: folder.path("list.m3u")))
    let server = try PythonServer(folder: folder)
    defer { server.stop() }
    let client = HTTPClient(extraRoots: folder.path("ca.pem"))
    for host in ["localhost", "127.0.0.1"] {
      let fetched = try await client.fetch(
        HTTPFetch("https://\(host):\(server.port)/list.m3u", under: .owner, byteLimit: 1_000_000))
      #expect(fetched.body == content)
      #expect(fetched.lastModified != nil)
      var again = HTTPFetch(fetched.address, under: .owner, byteLimit: 0)
      again.lastModified = fetched.lastModified
      let unchanged = try await client.fetch(again)
      #expect(unchanged.isNotModified)
    }
    let error = await #expect(throws: HTTPFetchError.self) {
      try await HTTPClient().fetch(
        HTTPFetch("https://localhost:\(server.port)/", under: .owner, byteLimit: 1000))
    }
    #expect(error?.kind == .untrusted)
  }
}
