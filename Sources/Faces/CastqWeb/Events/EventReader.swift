import CastqOperations

/// What waits for one reader of the stream: one slot for each topic and device, in which the latest wins, and all that happened.
struct EventReader {
  private struct Slot: Hashable {
    let topic: String
    /// The number of the device.
    let device: Int64?
  }

  let topics: Set<String>
  /// By their names, in lower case; nil is every device.
  let devices: Set<String>?
  /// Who reads.
  private let reader: WebEvent.Audience
  /// What the reader may see.
  let role: WebRole
  private var slots: [Slot: WebEvent] = [:]
  private var happened: [WebEvent] = []
  /// Whether events were lost, so that the reader has to ask for everything again.
  private(set) var isReset = false
  /// Whether a comment is due, which shows that the connection is alive.
  private(set) var wantsComment = false

  /// The most plays that wait for a reader that has stopped.
  static let most = EventRing.capacity

  /// - Parameter visitor: who reads.
  init(topics: Set<String>, devices: Set<String>? = nil, visitor: WebVisitor = WebVisitor(role: .look)) {
    self.topics = topics
    reader = WebEvent.Audience(token: visitor.token)
    role = visitor.role
    self.devices = devices.map { Set($0.map { $0.lowercased() }) }
  }

  /// Whether nothing waits.
  var isEmpty: Bool { slots.isEmpty && happened.isEmpty && !isReset && !wantsComment }

  /// - Returns: how many events were lost: one that a newer one has replaced, or all that waited.
  @discardableResult
  mutating func receive(_ event: WebEvent) -> Int {
    // What became of a request concerns whoever made it, whatever else they listen to, and nobody else.
    if let audience = event.audience {
      guard audience == reader else { return 0 }
    } else {
      guard topics.contains(event.topic) else { return 0 }
    }
    if let devices, let device = event.device, !device.isCalled(devices) { return 0 }
    if event.isReplaceable {
      return slots.updateValue(event, forKey: Slot(topic: event.topic, device: event.device?.id)) == nil
        ? 0 : 1
    } else if happened.count < Self.most {
      happened.append(event)
      return 0
    } else {
      let lost = happened.count + slots.count + 1
      reset()
      return lost
    }
  }

  mutating func comment() { wantsComment = true }

  /// Forgets what waits: the reader reads everything again.
  mutating func reset() {
    slots = [:]
    happened = []
    isReset = true
  }

  /// What waits, in its order; nothing waits afterwards.
  mutating func take() -> (isReset: Bool, wantsComment: Bool, events: [WebEvent]) {
    let taken = (isReset, wantsComment, (slots.values + happened).sorted { $0.sequence < $1.sequence })
    (slots, happened, isReset, wantsComment) = ([:], [], false, false)
    return taken
  }
}
