// As a user's test sees it: nothing but what is public.
import CastProtocol
import CastReceiverSim
import FoundationEssentials
import Testing

/// The simulator as a library, for tests of other people's senders.
@Suite(.timeLimit(.minutes(5)))
struct SimulatedReceiverTests {
  @Test("a receiver of one's own starts at a free port, plays from its folder, obeys and tells what it does")
  func wholeLife() async throws {
    let folder = FileManager.default.temporaryDirectory.path() + "castq-sim-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(DurationProbeTests.wave(seconds: 30)).write(to: URL(filePath: folder + "/a tone.wav"))
    var options = SimulatedReceiver.Options()
    options.name = "Mine"
    options.mediaFolder = folder
    options.behaviours = ["answers-connect"]
    options.faults = ["no-queue-requests"]
    let receiver = try await SimulatedReceiver.start(options)
    #expect(receiver.port > 0 && receiver.address == "127.0.0.1:\(receiver.port)" && receiver.name == "Mine")
    let client = try await SenderClient.connect(port: receiver.port)
    let app = try #require(try await client.launch())
    let url = try #require(receiver.mediaAddress("a tone.wav"))
    #expect(url.hasSuffix("/a%20tone.wav"))
    let media: JSONValue = ["contentId": .string(url), "contentType": "audio/wav"]
    try await client.send(["type": "LOAD", "requestId": 2, "media": media], .media, to: app)
    let playing = await client.next { $0["requestId"]?.int == 2 }
    #expect(playing?["status"]?.array?.first?["media"]?["duration"] == 30)
    let status = try JSONValue(parsing: await receiver.status())
    #expect(status["uuid"]?.string == receiver.uuid)
    #expect(status["application"]?["media"]?["contentId"]?.string == url)
    #expect(try await receiver.control("wait") == nil)
    try await receiver.control("stop")
    #expect(await client.next { $0["status"]?.array?.first?["idleReason"] == "CANCELLED" } != nil)
    await receiver.stop()
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test("two receivers side by side have a UUID each; one that is given keeps its own")
  func neighbours() async throws {
    let one = try await SimulatedReceiver.start()
    let two = try await SimulatedReceiver.start()
    #expect(one.uuid != two.uuid)
    var options = SimulatedReceiver.Options()
    options.uuid = "5F0CA571-0000-4000-A000-0000000000FF"
    let three = try await SimulatedReceiver.start(options)
    #expect(three.uuid == "5f0ca571-0000-4000-a000-0000000000ff")
    for receiver in [one, two, three] { await receiver.stop() }
  }

  @Test(
    "what cannot be had or read is said in words",
    arguments: ["fault", "behaviour", "folder", "port", "speed", "uuid"])
  func mistakes(kind: String) async throws {
    var options = SimulatedReceiver.Options()
    switch kind {
    case "fault": options.faults = ["nonsense"]
    case "behaviour": options.behaviours = ["nonsense"]
    case "folder": options.mediaFolder = "/nowhere/at/all"
    case "port": options.port = 70_000
    case "uuid": options.uuid = "5f0ca571"
    default: options.speed = .nan
    }
    do throws(SimulatedReceiverError) {
      await (try SimulatedReceiver.start(options)).stop()
      Issue.record("it starts all the same")
    } catch {
      #expect(!error.description.isEmpty)
    }
    #expect(SimulatedReceiverError(description: "x").description == "x")
  }

  @Test(
    "the folder's files come whole, or the part that is asked for; HEAD has no body",
    arguments: [
      ("GET", nil, 200, "0123456789"), ("GET", "bytes=2-4", 206, "234"), ("GET", "bytes=8-", 206, "89"),
      ("GET", "bytes=-3", 206, "789"), ("GET", "bytes=5-99999999999999999999", 206, "56789"),
      ("GET", "bytes=10-", 416, ""), ("GET", "bytes=-0", 416, ""), ("GET", "bytes=4-2", 200, "0123456789"),
      ("GET", "lines=1-2", 200, "0123456789"), ("HEAD", nil, 200, ""), ("HEAD", "bytes=2-4", 206, ""),
    ] as [(String, String?, Int, String)])
  func ranges(method: String, range: String?, status: Int, body: String) async throws {
    let (receiver, folder) = try await Self.serving("0123456789")
    let url = try #require(receiver.mediaAddress("a.txt"))
    let answer = try await RawHTTP.ask(url, method, range.map { "Range: \($0)\r\n" } ?? "")
    let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    #expect(parts.first?.hasPrefix("HTTP/1.1 \(status) ") == true, "\(answer)")
    #expect(parts.last.map(String.init) == body)
    let length = method == "HEAD" ? (range == nil ? 10 : 3) : body.count
    #expect(answer.lowercased().contains("content-length: \(length)\r\n"))
    await receiver.stop()
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test("who is being served when a receiver stops is hung up on")
  func stopsServing() async throws {
    let (receiver, folder) = try await Self.serving("x")
    let url = try #require(receiver.mediaAddress("a.txt"))
    // Connections are taken in order: when the second one is answered, the silent one has been taken.
    let silent = try await RawHTTP.connect(url)
    _ = try await RawHTTP.ask(url, "GET", "")
    await receiver.stop()
    #expect(try await silent.answer() == "")
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test("the whole file system can be a folder")
  func root() async throws {
    var options = SimulatedReceiver.Options()
    options.mediaFolder = "/"
    let receiver = try await SimulatedReceiver.start(options)
    let url = try #require(receiver.mediaAddress("etc/passwd"))
    #expect(try await RawHTTP.ask(url, "GET", "").hasPrefix("HTTP/1.1 200 "))
    await receiver.stop()
  }

  private static func serving(_ text: String) async throws -> (SimulatedReceiver, folder: String) {
    let folder = FileManager.default.temporaryDirectory.path() + "castq-sim-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder + "/a.txt"))
    var options = SimulatedReceiver.Options()
    options.mediaFolder = folder
    return (try await SimulatedReceiver.start(options), folder)
  }

  @Test("a control line that cannot be read, and a file outside the folder, are refused")
  func outside() async throws {
    var options = SimulatedReceiver.Options()
    options.mediaFolder = "/usr/share"
    let receiver = try await SimulatedReceiver.start(options)
    await #expect(throws: SimulatedReceiverError.self) { try await receiver.control("nonsense") }
    let client = try await SenderClient.connect(port: receiver.port)
    let app = try #require(try await client.launch())
    let url = try #require(receiver.mediaAddress("")) + "..%2f..%2fetc/passwd"
    let media: JSONValue = ["contentId": .string(url), "contentType": "audio/wav"]
    try await client.send(["type": "LOAD", "requestId": 2, "media": media], .media, to: app)
    #expect(await client.next { $0["requestId"]?.int == 2 }?["type"] == "LOAD_FAILED")
    await receiver.stop()
  }
}
