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
