import CastProtocol

/// How many occurrences each configured fault has seen.
struct FaultCounts: Sendable {
  private var seen: [Int: Int] = [:]

  /// Counts an occurrence of a fault.
  /// - Parameter index: its index in the configuration.
  /// - Returns: whether it strikes this time.
  mutating func strikes(_ fault: Fault, at index: Int) -> Bool {
    seen[index, default: 0] += 1
    return fault.occurrence == nil || fault.occurrence == seen[index]
  }
}

/// A fault that can strike some time after its trigger.
enum TimedFault: Sendable {
  case dropConnection
  case killApplication
  case emptyStatus
  case strayStatus
  case partialStatus
  case hush

  var kind: Fault.Kind {
    switch self {
    case .dropConnection: .dropConnection
    case .killApplication: .killApplication
    case .emptyStatus: .emptyStatus
    case .strayStatus: .strayStatus
    case .partialStatus: .partialStatus
    case .hush: .hush
    }
  }

  /// The default delay; nil when the fault then has no timer.
  fileprivate var standardDelay: Duration? {
    switch self {
    case .emptyStatus, .strayStatus, .partialStatus: .seconds(1)
    case .hush: .zero
    case .dropConnection, .killApplication: nil
    }
  }
}

/// The configured faults with what they have seen so far.
struct FaultState: Sendable {
  struct Armed: Sendable {
    var kind: TimedFault
    var value: String?
    /// The connection it will hit; nil for the application.
    var connection: SimConnectionID?
  }

  struct Held: Sendable {
    var message: CastMessage
    var connection: SimConnectionID
  }

  private struct Request: Hashable {
    var connection: SimConnectionID
    var number: Int
  }

  let faults: [Fault]
  private var counts = FaultCounts()
  private var swallowed: Set<Request> = []
  private var held: [Int: Held] = [:]
  private var armed: [Int: Armed] = [:]
  private var nextNumber = 1
  /// What the application withholds; nil while it withholds nothing.
  var hush: SimHush?
  /// The newest MEDIA_STATUS that was broadcast.
  private(set) var lastStatus: JSONValue?
  private var statusCount = 0

  init(faults: [Fault]) { self.faults = faults }

  func has(_ kind: Fault.Kind) -> Bool { faults.contains { $0.kind == kind } }

  func first(_ kind: Fault.Kind) -> Fault? { faults.first { $0.kind == kind } }

  /// Delay of every outgoing message; nil for none.
  var replyDelay: Duration? { first(.delayReplies)?.value.flatMap { Duration(parsing: $0) } }

  /// Counts an occurrence of each fault of a kind whose value matches; returns the one that strikes now, nil for none.
  mutating func strikes(_ kind: Fault.Kind, value: String?) -> Fault? {
    var striking: Fault?
    for (index, fault) in faults.enumerated()
    where fault.kind == kind && (value == nil || fault.value == value) {
      if counts.strikes(fault, at: index) { striking = striking ?? fault }
    }
    return striking
  }

  mutating func dropsConnection(on type: String) -> Bool { strikes(.dropConnection, value: type) != nil }

  /// Records a request whose reply must be swallowed.
  mutating func note(
    request body: JSONValue, type: String, from _: EndpointID, over connection: SimConnectionID
  ) {
    guard strikes(.swallowReply, value: type) != nil, let number = body["requestId"]?.int,
      swallowed.count < 1000
    else { return }
    swallowed.insert(Request(connection: connection, number: number))
  }

  /// The body with the configured faults applied; nil when nothing must be sent.
  mutating func rewritten(
    _ body: JSONValue, namespace: Namespace, to destination: EndpointID, over connection: SimConnectionID
  ) -> JSONValue? {
    if let hush, hush.holdsBack(body, namespace) { return nil }
    if namespace == .media, destination == .broadcast, body["type"] == "MEDIA_STATUS" {
      lastStatus = body["status"]?.array?.isEmpty == false ? body : lastStatus
    }
    guard !faults.isEmpty, namespace != .connection, case .object(var members) = body else { return body }
    if let number = body["requestId"]?.int, number != 0,
      swallowed.remove(Request(connection: connection, number: number)) != nil
    {
      // The effect is broadcast, only the answer is missing.
      guard destination == .broadcast else { return nil }
      members["requestId"] = 0
    }
    if has(.mediaNull), members["type"] == "MEDIA_STATUS", let entries = body["status"]?.array {
      members["status"] = .array(
        entries.map { entry in
          guard case .object(var fields) = entry, fields["media"] == nil else { return entry }
          fields["media"] = .null
          return .object(fields)
        })
    }
    if let step = first(.backwardTime)?.value.flatMap({ Duration(parsing: $0) }),
      members["type"] == "MEDIA_STATUS"
    {
      statusCount += 1
      if statusCount.isMultiple(of: 2) { members["status"] = members["status"]?.setBack(by: step.seconds) }
    }
    if has(.responseType), namespace == .media || namespace == .receiver,
      let type = members.removeValue(forKey: "type")
    {
      members["responseType"] = type
    }
    let result = JSONValue.object(members)
    return has(.dropCustomData) ? result.withoutCustomData : result
  }

  mutating func hold(_ message: CastMessage, for connection: SimConnectionID) -> Int {
    nextNumber += 1
    held[nextNumber] = Held(message: message, connection: connection)
    return nextNumber
  }

  mutating func release(_ number: Int) -> Held? { held.removeValue(forKey: number) }

  /// Arms the timed faults of a kind; returns their numbers and delays.
  mutating func arm(_ kind: TimedFault, connection: SimConnectionID?) -> [(number: Int, after: Duration)] {
    var started: [(number: Int, after: Duration)] = []
    for fault in faults where fault.kind == kind.kind {
      guard let after = fault.after ?? kind.standardDelay else { continue }
      nextNumber += 1
      armed[nextNumber] = Armed(kind: kind, value: fault.value, connection: connection)
      started.append((nextNumber, after))
    }
    return started
  }

  mutating func disarm(_ number: Int) -> Armed? { armed.removeValue(forKey: number) }

  /// Discards what waits for a connection; returns the numbers of its timed faults.
  mutating func forget(_ connection: SimConnectionID?) -> [Int] {
    let numbers = armed.filter { $0.value.connection == connection }.keys.sorted()
    for number in numbers { armed[number] = nil }
    if let connection {
      held = held.filter { $0.value.connection != connection }
      swallowed = swallowed.filter { $0.connection != connection }
    }
    return numbers
  }
}

extension ReceiverModel {
  /// Starts the timers of the timed faults of a kind.
  mutating func armFaults(_ kind: TimedFault, connection: SimConnectionID? = nil) {
    for (number, after) in faults.arm(kind, connection: connection) {
      actions.append(.startTimer(.fault(number), after: after))
    }
  }

  /// Cancels the timed faults of a connection, or (nil) of the application.
  mutating func forgetFaults(of connection: SimConnectionID?) {
    for number in faults.forget(connection) { actions.append(.cancelTimer(.fault(number))) }
  }

  mutating func faultFired(_ number: Int) {
    guard let armed = faults.disarm(number) else { return }
    switch armed.kind {
    case .dropConnection: if let connection = armed.connection { close(connection) }
    case .killApplication: endApplication()
    case .emptyStatus: sendEmptyStatus()
    case .strayStatus: sendStrayStatus(armed.value.flatMap(SimStray.init(parsing:)) ?? SimStray())
    case .partialStatus: sendPartialStatus()
    case .hush: fallSilent(armed.value.flatMap(SimHush.init(parsing:)) ?? SimHush(.own))
    }
  }
}

extension JSONValue {
  /// Status entries whose positions are that many seconds earlier.
  fileprivate func setBack(by seconds: Double) -> JSONValue {
    .array(
      (array ?? []).map { entry in
        guard case .object(var fields) = entry, let time = fields["currentTime"]?.double, time > 0 else {
          return entry
        }
        fields["currentTime"] = JSONValue(max(0, time - seconds))
        return .object(fields)
      })
  }

  /// This value with every `customData` member gone, at any depth.
  fileprivate var withoutCustomData: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withoutCustomData))
    case .object(let members):
      .object(members.filter { $0.key != "customData" }.mapValues(\.withoutCustomData))
    default: self
    }
  }
}
