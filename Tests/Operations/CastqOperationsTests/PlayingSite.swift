import CastProtocol
import CastReceiverSim
import CastTLS
import CastqFeeding
import CastqOperations
import CastqStore
import Foundation
import NIOPosix
import Testing

/// A site whose device lobby is a simulated receiver. This process feeds it, as the process of a command does.
final class PlayingSite {
  let site: OperationsSite
  let receiver: SimServer
  /// What people call: it sees the feeder, unless that has a database of its own.
  var call: CallOptions
  /// The receiver's log of messages.
  let log: String
  private let feeders = HostedFeeders()
  private let feeding: CallOptions
  private var daemon: SiteDaemon?
  private var others: [SimServer] = []

  private static let identity = Result { () throws(TLSError) in
    try TLSIdentity.selfSigned(commonName: "simulator", notBefore: 1_700_000_000, notAfter: 1_900_000_000)
  }

  /// Runs a test in a site of its own, and ends what feeds there.
  /// - Parameters:
  ///   - isFed: whether those who call see what feeds the device.
  ///   - speed: how many times faster than real the receiver's time runs.
  static func with(
    isFed: Bool = true, speed: Double = 1, _ change: (inout ReceiverConfiguration) -> Void = { _ in },
    body: (PlayingSite) async throws -> Void
  ) async throws {
    let playing = try await PlayingSite(isFed: isFed, speed: speed, change)
    do { try await body(playing) } catch {
      await playing.end()
      throw error
    }
    await playing.end()
  }

  /// The same while the first of some long tones plays.
  static func withTones(
    _ count: Int = 4, isFed: Bool = true, body: (PlayingSite) async throws -> Void
  ) async throws {
    try await with(isFed: isFed) { playing in
      try await playing.cast(playing.tones(count, seconds: 600))
      try await body(playing)
    }
  }

  private init(isFed: Bool, speed: Double, _ change: (inout ReceiverConfiguration) -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
    log = folder.appending(path: "castq-wire-\(UUID().uuidString)").path
    receiver = try await Self.receiver(speed: speed, log: SimLog(path: log), change)
    site = try OperationsSite(lobby: DeviceEndpoint(host: "127.0.0.1", port: receiver.port))
    var call = site.call
    call.config = try site.file("config.yaml", "programs: {ffprobe: off, ffmpeg: off}\n")
    (call.isServing, call.host) = (false, feeders)
    self.call = call
    if !isFed {
      call.db = "\(site.folder)/other.db"
      call.device = ["127.0.0.1:\(receiver.port)"]
    }
    feeding = call
  }

  deinit { try? FileManager.default.removeItem(atPath: log) }

  private func end() async {
    await endDaemon()
    await feeders.end()
    for receiver in others + [receiver] { await receiver.stop() }
  }

  private static func receiver(
    speed: Double = 1, log: SimLog? = nil, _ change: (inout ReceiverConfiguration) -> Void
  ) async throws -> SimServer {
    var configuration = ReceiverConfiguration()
    (configuration.launchDelay, configuration.namespaceDelay) = (.milliseconds(20), .milliseconds(10))
    change(&configuration)
    var options = SimServer.Options()
    (options.speed, options.log, options.derivesUUID) = (speed, log, true)
    return try await SimServer.start(
      configuration, options, identity: identity.get(), on: MultiThreadedEventLoopGroup.singleton)
  }

  // MARK: - What is done

  /// Makes another receiver known.
  func add(_ name: String, _ change: (inout ReceiverConfiguration) -> Void = { _ in }) async throws {
    let receiver = try await Self.receiver(change)
    others.append(receiver)
    _ = try Workspace(call).addDevice(named: name, at: "127.0.0.1:\(receiver.port)")
  }

  /// Starts what `castq daemon` starts; it ends with the test.
  func startDaemon() async throws { daemon = try await SiteDaemon(call) }

  func endDaemon() async {
    await daemon?.end()
    daemon = nil
  }

  /// Has a list played in place of the queue, as `castq cast` does; returns when its first entry plays.
  @discardableResult
  func cast(_ sources: String...) async throws -> JSONValue {
    defer { feeders.endIdle() }
    let queue = try await QueueCall(feeding, adding: true)
    let list = await queue.read(SourceRequest(sources: sources), isStrict: false)
    try list.requireSomething()
    let feeder = try await FeederCall.background(queue.workspace, queue.device, feeding)
    let first = try queue.workspace.replaceQueue(of: queue.device, with: list).first?.id
    return try await feeder.start(FeedRequest(isNewQueue: true, member: first))
  }

  /// Puts a source at the end of the queue, as `castq enqueue` does.
  func enqueue(_ source: String) async throws {
    let queue = try await QueueCall(call)
    let list = await queue.read(SourceRequest(sources: [source]), isStrict: false)
    try await queue.start(try await queue.add(list, .end, plays: false, isStrict: false))
  }

  /// - Parameter device: nil is lobby.
  @discardableResult
  func perform(_ verb: PlaybackVerb, on device: String? = nil) async throws -> PlaybackReply {
    var call = call
    if let device { call.device = [device] }
    defer { feeders.endIdle() }
    return try await LiveControl(call).perform(verb)
  }

  /// How often something began to feed a device.
  var feederCount: Int { feeders.count }

  /// Returns when nothing feeds any more.
  func fed() async { await feeders.over() }
}
