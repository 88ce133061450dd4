import CastProtocol
import CastSender
package import CastqDaemon
package import CastqFeeding
import CastqPlaylists
package import CastqStore
package import CastqText

/// The open database and its stores; resolves devices for commands.
package struct Workspace {
  package let database: Database
  package let devices: DeviceStore
  package let queue: QueueStore
  package let history: HistoryStore
  package let configured: ConfiguredFacts
  /// Where devices have proved their keys.
  package let places = ProvedPlaces()
  private let file: ConfigurationFile
  private let isServing: Bool

  /// - Parameter isReader: whether the command only reads, and so also works on a read-only database.
  package init(_ options: CallOptions, isReader: Bool = false) throws(Failure) {
    try options.checkConfiguration()
    do throws(StoreError) {
      database =
        try isReader
        ? .reading(path: options.databasePath)
        : Database(path: options.databasePath, clock: { ClockFinding.State.ofSystem.isSynchronised })
    } catch {
      throw Failure(error)
    }
    devices = DeviceStore(database)
    queue = QueueStore(database)
    history = HistoryStore(database)
    file = ConfigurationFile(options)
    isServing = options.isServing
    configured = ConfiguredFacts(file)
  }

  /// The device a command is for. An unknown address is used as it is; `adding` also stores it, for commands that enqueue. An
  /// unknown name or UUID is looked up on the network.
  package func device(_ options: CallOptions, adding: Bool = false) async throws(Failure) -> KnownDevice {
    try options.checkOne()
    return try await device(try options.meantDevice(), adding: adding)
  }

  /// The device of a selector; nil means the default device.
  package func device(_ selector: String?, adding: Bool) async throws(Failure) -> KnownDevice {
    do throws(StoreError) {
      do throws(StoreError) {
        return try knownDevice(selector)
      } catch {
        // A page reaches the devices of the ledger and no other address, and waits for no search.
        guard case .unknownDevice = error, let selector, !isServing else { throw error }
        guard let endpoint = Self.address(selector) else { return try await lookUp(selector) }
        return adding ? try devices.ensure(endpoint, at: .now) : KnownDevice(unknown: endpoint)
      }
    } catch {
      throw failure(error)
    }
  }

  /// The device of a selector among those of the ledger and of the configuration; nil means the default device.
  package func knownDevice(_ selector: String?) throws(StoreError) -> KnownDevice {
    let configured = (try? file.devices().get()) ?? []
    try devices.add(configured, at: .now)
    do throws(StoreError) {
      let device = try devices.device(matching: selector)
      try devices.pick(device)
      return device
    } catch {
      // It cannot be added to a database that may only be read.
      guard case .unknownDevice = error, let selector,
        let named = configured.first(where: { $0.isMeant(by: [selector]) }), let address = named.rules.address
      else { throw error }
      var device = KnownDevice(unknown: address)
      device.name = named.name
      return device
    }
  }

  /// A device that is not found: the configuration that would name it may be broken.
  package func failure(_ error: StoreError) -> Failure {
    if Failure(error).exit == .deviceUnknown, case .failure(let broken) = file.devices() {
      return broken
    }
    return Failure(error, database: database.path)
  }

  /// Every device of the ledger and of the configuration, by name.
  package func allDevices() throws(Failure) -> [KnownDevice] {
    try ask { (here) throws(StoreError) in
      try here.devices.add((try? here.file.devices().get()) ?? [], at: .now)
      return try here.devices.all()
    }
  }

  private func lookUp(_ selector: String) async throws(StoreError) -> KnownDevice {
    let lookup = DeviceLookup(store: devices, finder: Discovery.finder(), now: { .now })
    do throws(DeviceLookup.Miss) {
      return try await lookup.find(selector, within: Discovery.lookup)
    } catch {
      throw error.error
    }
  }

  /// Every device by name, of which that is marked as the default that commands use: the configuration's comes first.
  package func listedDevices(_ options: CallOptions) throws(Failure) -> [KnownDevice] {
    let devices = try allDevices()
    guard let configured = try options.configuredDefault() else { return devices }
    let usual = try? self.devices.device(matching: configured)
    return devices.map { device in
      var device = device
      device.isDefault = device.id == usual?.id
      return device
    }
  }

  /// Runs a body on the stores and converts its errors.
  package func ask<Value>(_ body: (Workspace) throws(StoreError) -> Value) throws(Failure) -> Value {
    do throws(StoreError) {
      return try body(self)
    } catch {
      throw Failure(error, database: database.path)
    }
  }

  /// Replaces a device's queue with a list, in one transaction. Repeat and shuffle are off unless the list sets them; settings of
  /// the previous list do not carry over.
  /// - Parameters:
  ///   - loops: repeats it, also if the list says otherwise.
  ///   - shuffles: shuffles it, also if the list says otherwise.
  @discardableResult
  package func replaceQueue(
    of device: KnownDevice, with list: SourceList, loops: Bool = false, shuffles: Bool = false
  ) throws(Failure) -> [QueueEntry] {
    var playlist = list.playlist
    playlist.repeatMode = loops ? .all : playlist.repeatMode ?? .off
    playlist.isShuffled = shuffles || playlist.isShuffled ?? false
    return try ask { (here) throws(StoreError) in
      try here.queue.replace(
        with: playlist, for: device.id, seed: .random(in: 0...UInt64.max), at: .now)
    }
  }

  /// A selector that must be an address: it contains a colon or a dot, or is `localhost`. A bare word is a mistyped name.
  private static func address(_ selector: String) -> DeviceEndpoint? {
    guard selector.contains(":") || selector.contains(".") || selector == "localhost" else { return nil }
    return DeviceEndpoint(selector)
  }
}

extension Workspace {
  /// An element each time another process has written to the database.
  package func changes() -> AsyncStream<Void> {
    let watcher = StoreWatcher(database: database, time: .continuous)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task { await watcher.watch { continuation.yield() } }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension WallTime {
  /// The current time of the system clock.
  package static var now: WallTime { WallTime(milliseconds: TimeSource.continuous.wallMilliseconds()) }
}
