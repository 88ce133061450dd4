import CastProtocol
import CastTLS
import NIOPosix

/// A Cast receiver without a television, for the tests of senders.
///
/// It speaks TLS and the Cast protocol on loopback as the genuine receiver framework does, fetches media over http to learn how
/// long they last, and plays nothing.
///
/// ```swift
/// var options = SimulatedReceiver.Options()
/// options.faults = ["decode-error=broken.mp4@after=2s"]
/// let receiver = try await SimulatedReceiver.start(options)
/// // connect to 127.0.0.1 at receiver.port
/// try await receiver.control("reboot 5s")
/// await receiver.stop()
/// ```
///
/// A receiver that is not stopped listens until the process ends, also after its last reference is gone.
public final class SimulatedReceiver: Sendable {
  /// What it is, and how it behaves.
  public struct Options: Sendable {
    /// Its friendly name.
    public var name = "Simulated receiver"
    /// The port to listen on, up to 65535; 0, the default, takes any that is free.
    public var port = 0
    /// How many times faster than real its time runs, from 0.001 to 100000; 1, the default, is real time. Heartbeats, reboots and
    /// drops stay real.
    public var speed = 1.0
    /// With dashes, as `5f0ca571-0000-4000-a000-000000000001`; nil, the default, is one that follows from name and port.
    public var uuid: String?
    /// Its model name.
    public var model = "Chromecast"
    /// A speaker: no video, no images, no Backdrop.
    public var isAudioOnly = false
    /// How it behaves where devices differ: what `castq-receiver-sim --behaviour` takes.
    public var behaviours: [String] = []
    /// How it misbehaves: what `castq-receiver-sim --fault` takes.
    public var faults: [String] = []
    /// A folder whose files are served over http on loopback; nil serves none.
    public var mediaFolder: String?

    /// A receiver that behaves as genuine ones were measured to.
    public init() {}
  }

  private let server: SimServer
  private let media: MediaFolder?
  /// Its friendly name when it was started.
  public let name: String

  private init(server: SimServer, media: MediaFolder?, name: String) {
    self.server = server
    self.media = media
    self.name = name
  }

  /// Starts a receiver, which listens when this returns.
  ///
  /// - Throws: ``SimulatedReceiverError`` for an invalid speed, UUID, behaviour or fault, and for a port or a folder that is
  ///   unavailable.
  public static func start(
    _ options: Options = Options()
  ) async throws(SimulatedReceiverError) -> SimulatedReceiver {
    let configuration = try configuration(options)
    var place = SimServer.Options()
    place.port = options.port
    place.speed = options.speed
    place.derivesUUID = options.uuid == nil
    let group = MultiThreadedEventLoopGroup.singleton
    do {
      let server = try await SimServer.start(configuration, place, identity: .simulated(), on: group)
      do {
        var media: MediaFolder?
        if let folder = options.mediaFolder { media = try await MediaFolder.serve(folder, on: group) }
        return SimulatedReceiver(server: server, media: media, name: options.name)
      } catch {
        await server.stop()
        throw error
      }
    } catch {
      throw SimulatedReceiverError(description: "\(error)")
    }
  }

  private static func configuration(
    _ options: Options
  ) throws(SimulatedReceiverError) -> ReceiverConfiguration {
    guard (0...65_535).contains(options.port), options.speed.isFinite,
      (0.001...100_000).contains(options.speed)
    else {
      throw SimulatedReceiverError(
        description: "a port is 0 to 65535, and a speed between 0.001 and 100000")
    }
    guard options.uuid.map(ReceiverConfiguration.isUUID) ?? true else {
      throw SimulatedReceiverError(description: "a UUID is written 5f0ca571-0000-4000-a000-000000000001")
    }
    var receiver = ReceiverConfiguration()
    receiver.friendlyName = options.name
    receiver.model = options.model
    receiver.isAudioOnly = options.isAudioOnly
    if let uuid = options.uuid { receiver.uuid = uuid.lowercased() }
    do {
      receiver.faults = try options.faults.map { try Fault(parsing: $0) }
      for text in options.behaviours { try Behaviour.apply(text, to: &receiver) }
    } catch {
      throw SimulatedReceiverError(description: "\(error)")
    }
    return receiver
  }

  /// The port it listens on; another one after the control line `move`.
  public var port: Int { server.port }

  /// `127.0.0.1:PORT`.
  public var address: String { "127.0.0.1:\(port)" }

  /// Its UUID, with dashes.
  public var uuid: String { server.configuration.uuid }

  /// The address of a file of the media folder; nil when there is no folder.
  public func mediaAddress(_ file: String) -> String? { media?.address(of: file) }

  /// Does what a person, the network or another sender would do, and returns when it is done.
  ///
  /// - Parameter line: what `castq-receiver-sim --control` takes: `reboot 5s`, `drop 20s`, `next`, `exit`, `hush all`, ….
  /// - Returns: what the line asked for; nil when it asked for nothing.
  /// - Throws: ``SimulatedReceiverError`` for an invalid line, and for one that is impossible in the present state.
  @discardableResult
  public func control(_ line: String) async throws(SimulatedReceiverError) -> String? {
    do {
      return try await SimFleet.follow(ControlLine(parsing: line), server)
    } catch {
      throw SimulatedReceiverError(description: "\(error)")
    }
  }

  /// What the device does, as one line of JSON: application, media session, item, position.
  public func status() async -> String { await server.report().text }

  /// Closes all connections and frees its ports.
  public func stop() async {
    await server.stop()
    await media?.stop()
  }
}

/// An error of a ``SimulatedReceiver``; the description is for people.
public struct SimulatedReceiverError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, in words.
  public let description: String

  /// An error of your own, such as one of a stand-in for a receiver.
  /// - Parameter description: why, in words.
  public init(description: String) { self.description = description }
}
