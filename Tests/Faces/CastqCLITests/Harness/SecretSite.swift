import Foundation
import Testing

/// A site whose addresses, credentials, custom data and headers have secrets: a daemon that has played and failed to play, a list that it
/// cannot take up, a rule, a hook, a page with tokens, and MPD.
struct SecretSite {
  /// Unlike anything else that is said.
  static let secrets = [
    "SECRETUSER1", "SECRETPASS2", "SECRETQUERY3", "SECRETFRAG4", "SECRETCRED5", "SECRETDATA6",
    "SECRETHEADER7",
  ]

  let stage: Stage
  let receiver: Receiver
  let daemon: WatchedDaemon
  /// What the hook was given: its variables and its input.
  let hook = LineFeed()
  let page: OperatorPage
  let music: MusicServer
  /// By role.
  let tokens: [String: String]
  /// The entry that is on the screen, and the digest of its picture.
  private(set) var shown = (entry: 0, art: "")
  /// The streams of events by role, since before anything was played.
  let streams: [String: LineFeed]

  /// An address of a server with every kind of secret.
  static func address(_ server: String, _ path: String) -> String {
    "http://SECRETUSER1:SECRETPASS2@\(server.split(separator: "/").last ?? "")/\(path)?sig=SECRETQUERY3,'x'#SECRETFRAG4"
  }

  static func with(_ body: (SecretSite) async throws -> Void) async throws {
    try await Stage.with { stage in try await body(try await SecretSite(stage)) }
  }

  private init(_ stage: Stage) async throws {
    self.stage = stage
    receiver = try await Receiver(stage)
    let server = try await WebServer(stage, files: ["list.m3u": "#EXTM3U\nshort.wav\n"])
    try stage.tone("www/short.wav", seconds: 2)
    try stage.tone("www/long.wav", seconds: Stage.outlasting)
    let closed = try QuietPort.closed()
    try Self.configure(stage, hook, Self.address(closed, "list.m3u"))
    try await stage.castq("device", "add", "lobby", receiver.address)
    try await stage.castq("device", "add", "bar", "127.0.0.1:1")
    try await stage.castq("device", "default", "lobby")
    var tokens: [String: String] = [:]
    for role in ["look", "operate", "edit"] {
      tokens[role] = try await stage.castq("web", "token", "add", role, "--role", role).outLines.first
    }
    self.tokens = tokens
    daemon = try await WatchedDaemon(
      stage, stage.start(["-vv", "daemon"], patience: RunningProgram.lifetime))
    page = try await OperatorPage(stage, "-vv")
    music = try await MusicServer(stage, "-vv")
    streams = try tokens.mapValues { [page] in try page.events(fields: ["Authorization: Bearer \($0)"]) }
    for stream in streams.values { #expect(await stream.line(containing: "event: hello") != nil) }
    try await play(server.address, closed)
    let status = try await stage.json("-d", "lobby", "status")
    shown = (try #require(status["entry"]?.int), status["art"]?.string ?? "0")
  }

  private static func configure(_ stage: Stage, _ hook: LineFeed, _ list: String) throws {
    let pipe = "\(stage.folder)/told"
    #expect(mkfifo(pipe, 0o600) == 0)
    hook.read(open(pipe, O_RDWR | O_CLOEXEC))
    let script = try stage.file("hook.sh", "#!/bin/sh\n{ env; cat; } >\"\(pipe)\"\n")
    let finder = try stage.file(
      "find.sh",
      """
      #!/bin/sh
      for address; do :; done
      case $address in
        *refuses*) echo "no page at $address" >&2; exit 3 ;;
        *) echo "{\\"url\\": \\"$address\\", \\"headers\\": {\\"Cookie\\": \\"SECRETHEADER7\\"}}" ;;
      esac
      """)
    for file in [script, finder] { #expect(chmod(file, 0o755) == 0) }
    let folder = "\(stage.folder)/config/castq"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try stage.file(
      "config/castq/config.yaml",
      """
      metrics: {listen: "127.0.0.1:0"}
      hooks: [{on: [failed, takeover, list, dark>1s], run: [\(script)]}]
      resolvers: [{match: 127.0.0.1/page, run: [\(finder)]}]
      web: {tokens: always}
      devices: {bar: {list: "\(list)"}}

      """)
  }

  /// Plays an entry to its end, fails to play others, and has one on the screen, with one more behind it.
  private func play(_ server: String, _ closed: String) async throws {
    func entry(_ path: String, _ more: String = "", at place: String? = nil) -> String {
      """
        - {url: "\(Self.address(place ?? server, path))", on_error: skip, credentials: SECRETCRED5, credentials_type: SECRETCRED5,
           custom_data: {k: SECRETDATA6}, item_custom_data: {k: SECRETDATA6}\(more)}

      """
    }
    let image = Self.address(server, "cover.png")
    let shown = ", title: Shown, type: audio/wav, images: [{url: \"\(image)\"}]"
    let text =
      "castq: 1\nentries:\n" + entry("short.wav", shown) + entry("gone.wav", ", type: audio/wav", at: closed)
      + entry("page/refuses") + entry("page/login")
      + entry("gone.wav", ", title: \"See \(image) there\", type: audio/wav", at: closed)
      + entry("long.wav", ", title: \"\(image)\", type: audio/wav, images: [{url: \"\(image)\"}]")
      + entry("later.wav", ", type: audio/wav")
    try await stage.castq(
      "schedule", "add", "lunch", "--play", Self.address(server, "list.m3u"), "-d", "bar", "--daily",
      "12:00-12:30")
    try await stage.castq("enqueue", "-d", "lobby", try stage.file("list.yaml", text))
    let ending = try await stage.castq("enqueue", "-d", "lobby", Self.address(server, "list.m3u"))
    #expect(ending.exit == 0, "\(ending)")
    try await stage.awaitPlay { play in
      play["title"]?.string?.hasPrefix("See ") == true && play["outcome"] != .null
    }
    try await stage.awaitStatus {
      $0["player_state"]?.string == "PLAYING" && $0["url"]?.string?.contains("/long.wav") == true
    }
  }

  /// Nothing of this is said there.
  static func expectNone(_ text: String, _ place: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for secret in secrets where text.contains(secret) {
      let line = text.split(whereSeparator: \.isNewline).first { $0.contains(secret) } ?? ""
      Issue.record("\(place) has \(secret): \(line.prefix(600))", sourceLocation: sourceLocation)
    }
  }
}
