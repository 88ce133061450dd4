import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore
import Glibc

/// The open database and the device that is meant: what most commands begin with.
struct Workspace {
  let database: Database
  let devices: DeviceStore
  let queue: QueueStore
  let history: HistoryStore

  /// - Parameter isReader: the command looks and changes nothing, so that it also works on a database that may only be read.
  init(_ options: GlobalOptions, isReader: Bool = false) throws(Failure) {
    try options.checkConfiguration()
    do throws(StoreError) {
      database =
        try isReader ? .reading(path: options.databasePath) : Database(path: options.databasePath)
    } catch {
      throw Failure(error)
    }
    devices = DeviceStore(database)
    queue = QueueStore(database)
    history = HistoryStore(database)
  }

  /// The device a command is for. An address that was never added is taken as it stands; a row for it is made only by
  /// commands that put something into its queue. A name or a UUID that is not in the ledger is looked for on the network.
  func device(_ options: GlobalOptions, adding: Bool = false) async throws(Failure) -> KnownDevice {
    try options.checkOne()
    return try await device(options.deviceSelector, adding: adding)
  }

  /// The device that is meant by a selector; nil means the default one.
  func device(_ selector: String?, adding: Bool) async throws(Failure) -> KnownDevice {
    do throws(StoreError) {
      do throws(StoreError) {
        let device = try devices.device(matching: selector)
        try devices.pick(device)
        return device
      } catch {
        guard case .unknownDevice = error, let selector else { throw error }
        guard let endpoint = Self.address(selector) else { return try await lookUp(selector) }
        return adding ? try devices.ensure(endpoint, at: .now) : KnownDevice(unknown: endpoint)
      }
    } catch {
      throw Failure(error, database: database.path)
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

  /// Ends a command that has printed a list: reports the rows that were left out because they are damaged, which is an error.
  func reportDamage() throws(Silent) {
    let damage = database.takeDamage()
    guard let first = damage.first else { return }
    for error in damage { Console.say("castq: \(error)") }
    throw Silent(Failure(first))
  }

  /// Runs something on the store and turns its errors into the program's.
  func ask<Value>(_ body: (Workspace) throws(StoreError) -> Value) throws(Failure) -> Value {
    do throws(StoreError) {
      return try body(self)
    } catch {
      throw Failure(error, database: database.path)
    }
  }

  /// Puts what was read in place of a device's queue, in one transaction. A list that does not say so
  /// neither repeats nor is shuffled: what was switched on for another list is not meant for this one.
  @discardableResult
  func replaceQueue(of device: KnownDevice, with list: SourceList) throws(Failure) -> [QueueEntry] {
    var playlist = list.playlist
    playlist.repeatMode = playlist.repeatMode ?? .off
    playlist.isShuffled = playlist.isShuffled ?? false
    return try ask { (here) throws(StoreError) in
      try here.queue.replace(
        with: playlist, for: device.id, seed: .random(in: 0...UInt64.max), at: .now)
    }
  }

  /// How early this device is to be told of its next item, as its history teaches; the usual time when that cannot be read.
  func preloadTime(of device: KnownDevice) -> MediaTime {
    let usual = FeederConfiguration().preloadTime
    do throws(StoreError) { return try history.gaps(of: device.id).preloadTime(usually: usual) } catch {
      return usual
    }
  }

  /// What can only be an address: it has a port, is a literal, or has a dot in it. A bare word is a name somebody mistyped.
  private static func address(_ selector: String) -> DeviceEndpoint? {
    guard selector.contains(":") || selector.contains(".") || selector == "localhost" else { return nil }
    return DeviceEndpoint(selector)
  }
}

extension WallTime {
  /// The clock of this computer.
  static var now: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
