import Foundation
import Testing

@Suite("The certificate of the page", .timeLimit(.minutes(20)))
struct WebCertificateTests {
  private static let tool = "/usr/bin/openssl"
  static let hasTool: Bool = access(tool, X_OK) == 0

  /// A certificate for 127.0.0.1 and its key, as a person makes them.
  private func make(_ name: String, _ stage: Stage) async throws -> (certificate: String, key: String) {
    let files = (certificate: "\(stage.folder)/\(name).pem", key: "\(stage.folder)/\(name).key")
    let ending = try await RunningProgram(
      Self.tool,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
        "-subj", "/CN=lobby", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", files.key, "-out",
        files.certificate,
      ], environment: stage.environment, folder: stage.folder
    ).ended()
    try #require(ending.exit == 0, "\(ending.stderr)")
    return files
  }

  private func rules(_ certificate: String, _ key: String, _ stage: Stage) throws -> String {
    try stage.file(
      "web.yaml", "web:\n  listen: 127.0.0.1:0\n  certificate: \(certificate)\n  key: \(key)\n")
  }

  @Test(
    "with a certificate the page is served over TLS, to clients that check it",
    .enabled(if: hasTool, "there is no openssl here"))
  func served() async throws {
    try await Stage.with { stage in
      let files = try await make("lobby", stage)
      let page = try stage.start(
        ["web", "--config", try rules(files.certificate, files.key, stage)],
        patience: RunningProgram.lifetime)
      let line = try #require(
        await page.stderr.line(containing: "the page is at https://127.0.0.1:"), "\(page.stderr.text)")
      let address = try #require(line.split(separator: " ").last)
      let client = """
        import ssl, sys, urllib.request
        trusted = ssl.create_default_context(cafile=sys.argv[2])
        print(urllib.request.urlopen(sys.argv[1], context=trusted).status)
        try: urllib.request.urlopen(sys.argv[1])
        except Exception as error: print('CERTIFICATE_VERIFY_FAILED' in str(error))
        """
      let answer = try await RunningProgram(
        "/usr/bin/python3", ["-c", client, String(address), files.certificate],
        environment: stage.environment, folder: stage.folder
      ).ended()
      #expect(answer.outLines == ["200", "True"], "\(answer.stderr)")
      page.signal(SIGTERM)
      #expect(await page.ended().exit == 143)
    }
  }

  @Test(
    "a renewed certificate is served at once, and a broken one leaves the one before; both are said",
    .enabled(if: hasTool, "there is no openssl here"))
  func renewed() async throws {
    try await Stage.with { stage in
      let (lobby, bar) = (try await make("lobby", stage), try await make("bar", stage))
      let page = try stage.start(
        ["web", "--config", try rules(lobby.certificate, lobby.key, stage)],
        patience: RunningProgram.lifetime)
      let line = try #require(
        await page.stderr.line(containing: "the page is at https://127.0.0.1:"), "\(page.stderr.text)")
      let port = try #require(line.split(separator: ":").last?.dropLast())
      func served() async throws -> String {
        try await RunningProgram(
          "/usr/bin/python3",
          [
            "-c", "import ssl, sys; print(ssl.get_server_certificate(('127.0.0.1', int(sys.argv[1]))))",
            String(port),
          ],
          environment: stage.environment, folder: stage.folder
        ).ended().stdout.filter { !$0.isWhitespace }
      }
      func file(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).filter { !$0.isWhitespace }
      }
      let first = try file(lobby.certificate)
      #expect(try await served() == first)
      // As a program that renews does it: one file after the other, each as a whole.
      #expect(rename(bar.certificate, lobby.certificate) == 0)
      #expect(try await served() == first)
      #expect(await page.stderr.line(containing: "the one before is kept") != nil)
      #expect(rename(bar.key, lobby.key) == 0)
      #expect(try await served() == file(lobby.certificate))
      #expect(await page.stderr.line(containing: "certificate was renewed") != nil)
      page.signal(SIGTERM)
      #expect(await page.ended().exit == 143)
    }
  }

  @Test(
    "a file that cannot be read, or holds something else, is told in one line with its name",
    .enabled(if: hasTool, "there is no openssl here"))
  func refused() async throws {
    try await Stage.with { stage in
      let (lobby, bar) = (try await make("lobby", stage), try await make("bar", stage))
      let text = try stage.file("notes.txt", "no certificate\n")
      let cases: [(certificate: String, key: String, words: [String])] = [
        ("/nowhere/a.pem", lobby.key, ["cannot read /nowhere/a.pem: No such file or directory"]),
        (lobby.certificate, "/nowhere/a.key", ["cannot read /nowhere/a.key: No such file or directory"]),
        (lobby.certificate, stage.folder, [stage.folder]),
        (text, lobby.key, ["the certificate \(text)", "no start line"]),
        (lobby.certificate, bar.key, ["the private key \(bar.key)", "key values mismatch"]),
      ]
      for one in cases {
        let ending = try await stage.castq(
          "web", "--config", try rules(one.certificate, one.key, stage))
        for words in one.words { expectOneLine(ending, exit: 78, saying: words) }
        // No debris of the library.
        for debris in ["system lib", "fopen", "error 2147"] {
          #expect(!ending.stderr.contains(debris), "\(ending.stderr)")
        }
      }
    }
  }
}
