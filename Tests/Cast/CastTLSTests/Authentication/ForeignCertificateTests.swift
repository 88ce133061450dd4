import CastTLS
import Foundation
import Testing

@Suite(
  "Proofs and the openssl program", .timeLimit(.minutes(5)),
  .enabled(if: OpenSSLProgram.isInstalled, "there is no openssl here"))
struct ForeignCertificateTests {
  /// Runs the program in a folder of its own.
  private struct Workshop {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "castq-proof-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      try write(Array("[req]\ndistinguished_name=name\n[name]\n".utf8), to: "config")
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ bytes: [UInt8], to name: String) throws {
      try Data(bytes).write(to: folder.appending(path: name))
    }

    func read(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: folder.appending(path: name)))
    }

    func run(_ arguments: String...) throws -> Int32 { try OpenSSLProgram(arguments).waitUntilExit() }

    /// Makes a key and a certificate, as `NAME.key` and `NAME`.
    func make(_ name: String, by issuer: String? = nil, _ extensions: [String]) throws {
      let signer = issuer.map { ["-CA", path($0), "-CAkey", path($0 + ".key")] } ?? []
      let added = extensions.flatMap { ["-addext", $0] }
      let program = try OpenSSLProgram(
        [
          "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-config", path("config"), "-days", "2", "-subj",
          "/CN=\(name)", "-keyout", path(name + ".key"), "-out", path(name),
        ] + signer + added)
      try #require(program.waitUntilExit() == 0)
    }

    func der(_ name: String) throws -> [UInt8] {
      try #require(CertificateFile.certificates(in: read(name)).first)
    }
  }

  @Test("a proof that the openssl program made is believed, and by no other root")
  func judgesForeign() throws {
    let shop = try Workshop()
    defer { _ = try? FileManager.default.removeItem(at: shop.folder) }
    try shop.make("root", ["basicConstraints=critical,CA:TRUE"])
    try shop.make(
      "issuer", by: "root", ["basicConstraints=critical,CA:TRUE,pathlen:0", "keyUsage=critical,keyCertSign"])
    try shop.make(
      "device", by: "issuer",
      [
        "basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature",
        "extendedKeyUsage=clientAuth",
        "certificatePolicies=1.3.6.1.4.1.11129.2.5.2", "subjectAltName=DNS:device",
      ])
    try shop.make("tls", [])
    let nonce: [UInt8] = Array(100..<116)
    try shop.write(nonce + shop.der("tls"), to: "signed")
    #expect(
      try shop.run(
        "dgst", "-sha256", "-sign", shop.path("device.key"), "-out", shop.path("signature"),
        shop.path("signed")
      ) == 0)
    let proof = DeviceProof(
      tlsCertificate: try shop.der("tls"), deviceCertificate: try shop.der("device"),
      intermediates: [try shop.der("issuer")], signature: try shop.read("signature"), nonce: nonce)
    var rules = DeviceProofRules(
      trust: .path(roots: [try shop.der("root")], revocation: .ignored), expectedNonce: nonce)
    let now = Int(Date().timeIntervalSince1970)
    let device = try DeviceVerifier.verify(proof, under: rules, at: now)
    #expect(device.commonName == "device" && device.isAudioOnly)
    rules.trust = .path(roots: [try shop.der("tls")], revocation: .ignored)
    #expect(throws: DeviceRefusal.self) { try DeviceVerifier.verify(proof, under: rules, at: now) }
  }

  @Test("certificates and signatures of imitated devices are believed by the openssl program")
  func isJudged() throws {
    let shop = try Workshop()
    defer { _ = try? FileManager.default.removeItem(at: shop.folder) }
    let pki = try TestPKI()
    for (name, der) in [
      ("root", try pki.rootDER()), ("issuer", try pki.intermediateDER()), ("device", try pki.deviceDER()),
    ] {
      try shop.write(Array(CertificateFile.pem(der).utf8), to: name)
    }
    #expect(
      try shop.run(
        "verify", "-attime", "\(TestPKI.now)", "-CAfile", shop.path("root"), "-untrusted",
        shop.path("issuer"),
        shop.path("device")) == 0)
    let proof = try pki.proof()
    try shop.write(proof.signature, to: "signature")
    try shop.write(TestPKI.nonce + (proof.tlsCertificate ?? []), to: "signed")
    #expect(
      try shop.run("x509", "-in", shop.path("device"), "-pubkey", "-noout", "-out", shop.path("key")) == 0)
    #expect(
      try shop.run(
        "dgst", "-sha256", "-verify", shop.path("key"), "-signature", shop.path("signature"),
        shop.path("signed")) == 0)
  }
}
