import ArgumentParser
import CastReceiverSim
import Glibc

@main
struct ReceiverSimulator: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "castq-receiver-sim",
    abstract: "Simulates Google Cast receivers on this machine.",
    discussion: """
      Each receiver listens on its own TLS port and prints one line:
        listening on 127.0.0.1:40123 name=Simulated receiver uuid=…
      It plays nothing, but fetches media over http to learn how long they last.
      """)

  @Option(help: "Port of the first receiver; 0 picks free ports.")
  var port = 0
  @Option(help: "Address to listen on.")
  var bind = "127.0.0.1"
  @Option(help: "Friendly name; with --count a number follows it.")
  var name = "Simulated receiver"
  @Option(
    help: ArgumentHelp(
      "Its UUID; absent: one that follows from name, port and seed. Give it to a device that is to be the same at another port.",
      valueName: "uuid"))
  var uuid: String?
  @Option(help: "Model name.")
  var model = "Chromecast"
  @Option(help: "How many receivers to run.")
  var count = 1
  @Option(help: "How many times faster than real their time runs; heartbeats stay real.")
  var speed = 1.0
  @Option(help: "File that gets every message both ways as JSON lines.")
  var log: String?
  @Option(help: ArgumentHelp("A misbehaviour, repeatable; “help” lists them.", valueName: "fault"))
  var fault: [String] = []
  @Option(
    help: ArgumentHelp(
      "How it behaves where the protocol leaves that open, repeatable; “help” lists them.",
      valueName: "name[=value]"))
  var behaviour: [String] = []
  @Option(
    help: ArgumentHelp(
      "A member of the group that the receivers lead, repeatable.", valueName: "id:level:name"))
  var member: [String] = []
  @Option(
    help: ArgumentHelp(
      "An application besides the media receiver and the echo, repeatable.", valueName: "id:name:namespace,…")
  )
  var application: [String] = []
  @Option(
    help: ArgumentHelp(
      "A Unix socket (made, for this user only) or “-” for standard input that takes what the world does to the receivers, a line each; the line “help” lists what.",
      valueName: "path"))
  var control: String?
  @Option(help: ArgumentHelp("How they answer when they are asked who they are.", valueName: "answer"))
  var authentication = SimAuthentication.internalError
  @Option(help: "File that gets the root of their certificates, as PEM, for senders that ask for one.")
  var writeRoot: String?
  @Option(help: "File that gets the root of their lists of revoked certificates, as PEM.")
  var writeCRLRoot: String?
  @Option(help: "Seed of session ids and shuffles.")
  var seed: UInt64 = 1
  @Flag(help: "Make the receivers known on the network by multicast DNS, and say goodbye at the end.")
  var advertise = false
  @Option(
    help: ArgumentHelp(
      "Interface to advertise on, repeatable; absent: those that suit --bind.", valueName: "address|name"))
  var interface: [String] = []
  @Flag(help: "Simulate a speaker: no video, no images, no Backdrop.")
  var audioOnly = false
  @Option(help: "attenuation, master or fixed.")
  var volumeControl = ReceiverConfiguration.VolumeControl.attenuation
  @Option(help: "Time with nothing loaded after which the application closes.")
  var idleTimeout = SimDuration(seconds: 300)
  @Option(help: "Time of pause after which the application closes.")
  var pausedTimeout = SimDuration(seconds: 1200)
  @Option(help: "Time an image is shown after which the application closes; absent: as --paused-timeout.")
  var imageTimeout: SimDuration?
  @Option(help: "Time an application takes to start.")
  var launchDelay = SimDuration(milliseconds: 400)
  @Option(help: "How LAUNCH is answered: at-once, two-phases, early-reply or consent.")
  var launchStyle = ReceiverConfiguration.LaunchStyle.twoPhases
  @Option(help: "Time between PINGs.")
  var heartbeatInterval = SimDuration(seconds: 5)
  @Option(help: "Silence after which a sender is dropped.")
  var silenceLimit = SimDuration(seconds: 10)
  @Option(help: "Port of the device's setup page over http (genuine devices: 8008); absent for none.")
  var setupPort: Int?

  mutating func validate() throws {
    if fault.contains("help") { throw CleanExit.message("Faults, for --fault:\n" + Fault.help) }
    if behaviour.contains("help") {
      throw CleanExit.message("Behaviours, for --behaviour:\n" + Behaviour.listing)
    }
    guard (1...1000).contains(count) else { throw ValidationError("--count must be 1 to 1000") }
    guard (0...65_535).contains(port), port == 0 || port + count - 1 <= 65_535 else {
      throw ValidationError("--port must leave room for --count ports below 65536")
    }
    guard uuid == nil || count == 1 else {
      throw ValidationError("--uuid is for one receiver, not for --count \(count)")
    }
    guard uuid.map(ReceiverConfiguration.isUUID) ?? true else {
      throw ValidationError("--uuid is written 5f0ca571-0000-4000-a000-000000000001")
    }
    guard speed.isFinite, (0.001...100_000).contains(speed) else {
      throw ValidationError("--speed must be between 0.001 and 100000")
    }
    guard advertise || interface.isEmpty else {
      throw ValidationError("--interface says where to --advertise: give that, too")
    }
    _ = try receiver(0)
  }

  @MainActor static func main() async {
    // What libdispatch tells syslog about priorities, when its first thread begins, is nobody's concern.
    setenv("LIBDISPATCH_LOG", "NO", 0)
    await main(nil)
  }

  func run() async throws {
    // The process ends at once, unless a goodbye must be sent or a socket file removed.
    let endsInOrder = advertise || control != nil
    if !endsInOrder { for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } } }
    let fleet = try fleet()
    let endings = endsInOrder ? Ending(fleet: fleet) : nil
    try await fleet.start { announcement in
      print(announcement)
      fflush(nil)
    }
    switch control {
    case nil: break
    case "-": ControlLines(fleet: fleet).start()
    case let path?:
      try await fleet.listen(at: path)
      print("control at \(path)")
      fflush(nil)
    }
    // Until a signal ends the program.
    for await _ in AsyncStream<Never>.makeStream().stream {}
    withExtendedLifetime(endings) {}
  }

  /// The receivers that are asked for; files that senders need of them are written.
  func fleet() throws -> SimFleet {
    try writeRoots()
    return SimFleet(
      receivers: try (0..<count).map { try receiver($0) }, bind: bind, port: port, setupPort: setupPort,
      derivesUUIDs: uuid == nil, advertising: advertising, speed: speed,
      log: try log.map { path in try SimLog(path: path) })
  }

  private var advertising: AdvertisingOptions? {
    guard advertise else { return nil }
    var options = AdvertisingOptions()
    options.interfaces = interface
    return options
  }

  private func writeRoots() throws {
    for (path, root) in [(writeRoot, SimCredentials.Root.devices), (writeCRLRoot, .revocations)] {
      guard let path else { continue }
      let text = try SimCredentials.shared.get().pem(of: root)
      guard let file = fopen(path, "w"), fputs(text, file) >= 0, fclose(file) == 0 else {
        throw ValidationError("the root cannot be written to \(path): \(String(cString: strerror(errno)))")
      }
    }
  }

  private func faults() throws -> [Fault] {
    try fault.map { text in
      do throws(FaultSyntaxError) {
        return try Fault(parsing: text)
      } catch {
        throw ValidationError(error.description)
      }
    }
  }

  private func receiver(_ index: Int) throws -> ReceiverConfiguration {
    var receiver = ReceiverConfiguration()
    receiver.friendlyName = count == 1 ? name : "\(name) \(index + 1)"
    if let uuid { receiver.uuid = uuid.lowercased() }
    receiver.model = model
    receiver.isAudioOnly = audioOnly
    receiver.volumeControl = volumeControl
    receiver.idleTimeout = idleTimeout.duration
    receiver.pausedTimeout = pausedTimeout.duration
    receiver.imageTimeout = imageTimeout?.duration
    receiver.launchDelay = launchDelay.duration
    receiver.launchStyle = launchStyle
    receiver.heartbeatInterval = heartbeatInterval.duration
    receiver.silenceLimit = silenceLimit.duration
    receiver.seed = seed &+ UInt64(index)
    receiver.faults = try faults()
    receiver.platform.authentication = authentication
    receiver.members = try member.map(groupMember)
    receiver.applications = try application.map(application(_:))
    for text in behaviour {
      do throws(BehaviourSyntaxError) {
        try Behaviour.apply(text, to: &receiver)
      } catch {
        throw ValidationError(error.description)
      }
    }
    return receiver
  }

  private func groupMember(_ text: String) throws -> SimGroupMember {
    let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
    guard parts.count == 3, let level = Double(parts[1]), (0...1).contains(level) else {
      throw ValidationError(
        "--member “\(text)”: write an id, a level from 0 to 1 and a name, as 0d1c:0.4:Kitchen")
    }
    return SimGroupMember(deviceID: parts[0], name: parts[2], level: level)
  }

  private func application(_ text: String) throws -> ReceiverConfiguration.Application {
    let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
    guard parts.count == 3 else {
      throw ValidationError("--application “\(text)”: write ABCD1234:Name:urn:x-cast:one,urn:x-cast:two")
    }
    return ReceiverConfiguration.Application(
      appID: parts[0], displayName: parts[1], namespaces: parts[2].split(separator: ",").map(String.init))
  }
}

/// A duration of the command line: `5s`, `200ms`, or a bare number of seconds.
struct SimDuration: ExpressibleByArgument, CustomStringConvertible {
  var duration: Duration

  init(seconds: Int) { duration = .seconds(Int64(seconds)) }
  init(milliseconds: Int) { duration = .milliseconds(Int64(milliseconds)) }

  init?(argument: String) {
    guard let duration = Duration(parsing: argument) else { return nil }
    self.duration = duration
  }

  var description: String {
    let (seconds, attoseconds) = duration.components
    return attoseconds == 0 ? "\(seconds)s" : "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms"
  }

  var defaultValueDescription: String { description }
}

extension ReceiverConfiguration.VolumeControl: ExpressibleByArgument {}
extension ReceiverConfiguration.LaunchStyle: ExpressibleByArgument {}
extension SimAuthentication: ExpressibleByArgument {}
