/// Which commands are performed: each one once, and only so many at a time.
package struct CommandAdmission: Sendable {
  /// Commands at a time; more are refused.
  package static let most = 16

  private var memory = CommandMemory()
  private var running = 0

  package init() {}

  /// Admits a command; each one that was admitted ends with `ended()`.
  ///
  /// One that is refused as busy leaves no trace: the sender is asked to try again, and its second try is no duplicate.
  package mutating func admit(_ command: LiveCommand, for device: String) throws(LiveCommand.Refusal) {
    func refusal(_ code: String, _ message: String) -> LiveCommand.Refusal {
      LiveCommand.Refusal(id: command.id, replyTo: command.replyTo, code: code, message: message)
    }
    guard !memory.contains(command.id, for: device) else {
      throw refusal("duplicate", "a command of this id was received before")
    }
    guard running < Self.most else { throw refusal("busy", "\(Self.most) commands run; try again") }
    memory.insert(command.id, for: device)
    running += 1
  }

  /// A command that was admitted has ended.
  package mutating func ended() { running = max(running - 1, 0) }
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
