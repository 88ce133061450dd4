package import CastqText

/// Which commands are performed: each one once, those of one device one after the other in their order, and
/// only so many at a time.
package struct CommandAdmission: Sendable {
  /// Commands that run, or wait for one of their device that runs; more are refused.
  package static let most = 16

  private var memory = CommandMemory()
  /// Of each device with a command that runs: those that wait for its end, the oldest first.
  private var waiting: [String: [LiveCommand]] = [:]
  private var count = 0

  package init() {}

  /// Admits a command; each one that was admitted ends with `next(for:)`.
  ///
  /// One that is refused as busy leaves no trace: the sender is asked to try again, and its second try is no duplicate.
  /// - Returns: whether it is performed now; one that waits is what `next(for:)` returns at its turn.
  @discardableResult
  package mutating func admit(
    _ command: LiveCommand, for device: String, at now: WallTime
  ) throws(LiveCommand.Refusal) -> Bool {
    guard !memory.contains(command.id, for: device) else {
      throw command.refusal("duplicate", "a command of this id was received before")
    }
    guard count < Self.most else { throw command.refusal("busy", "\(Self.most) commands run; try again") }
    guard memory.insert(command, for: device, at: now) else {
      throw command.refusal(
        "busy", "\(CommandMemory.most) commands that came before have not expired; try again")
    }
    count += 1
    guard waiting[device] != nil else {
      waiting[device] = []
      return true
    }
    waiting[device]?.append(command)
    return false
  }

  /// The command of a device that ran has ended.
  /// - Returns: the next one to be performed for the device; nil when none waits.
  @discardableResult
  package mutating func next(for device: String) -> LiveCommand? {
    guard var lane = waiting[device] else { return nil }
    count -= 1
    guard !lane.isEmpty else {
      waiting[device] = nil
      return nil
    }
    let next = lane.removeFirst()
    waiting[device] = lane
    return next
  }
}

/// Remembers commands until they expire, so that one that the broker delivers twice is performed once.
struct CommandMemory: Sendable {
  /// The most that are remembered, some 4 MiB; an hour of five commands a second.
  static let most = 20_000
  private var expiries: [String: WallTime] = [:]
  /// Those that have expired are looked for at so many, and not before the first of them has.
  private var mark = 1000
  private var soonest = WallTime.latest

  func contains(_ id: String, for device: String) -> Bool { expiries[Self.key(id, device)] != nil }

  /// - Returns: whether there was room.
  mutating func insert(_ command: LiveCommand, for device: String, at now: WallTime) -> Bool {
    if expiries.count >= mark, soonest <= now {
      expiries = expiries.filter { $0.value > now }
      mark = min(max(2 * expiries.count, 1000), Self.most)
      soonest = expiries.values.min() ?? .latest
    }
    guard expiries.count < Self.most else { return false }
    soonest = min(soonest, command.expiresAt)
    expiries[Self.key(command.id, device)] = command.expiresAt
    return true
  }

  private static func key(_ id: String, _ device: String) -> String { "\(device)/\(id)" }
}
