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
    _ command: LiveCommand, for device: String
  ) throws(LiveCommand.Refusal) -> Bool {
    guard !memory.contains(command.id, for: device) else {
      throw command.refusal("duplicate", "a command of this id was received before")
    }
    guard count < Self.most else { throw command.refusal("busy", "\(Self.most) commands run; try again") }
    memory.insert(command.id, for: device)
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

/// Remembers the last commands, so that one that the broker delivers twice is performed once.
struct CommandMemory: Sendable {
  private static let limit = 1000
  private var known: Set<String> = []
  private var order: [String] = []
  private var next = 0

  func contains(_ id: String, for device: String) -> Bool { known.contains(Self.key(id, device)) }

  mutating func insert(_ id: String, for device: String) {
    let key = Self.key(id, device)
    guard known.insert(key).inserted else { return }
    if order.count < Self.limit {
      order.append(key)
    } else {
      known.remove(order[next])
      order[next] = key
      next = (next + 1) % Self.limit
    }
  }

  private static func key(_ id: String, _ device: String) -> String { "\(device)/\(id)" }
}
