import CastProtocol

/// One way in which a simulated receiver misbehaves on purpose.
///
/// Written `name[=value][#n][@after=duration]`: `#n` limits it to the n-th occurrence, `@after` delays it.
package struct Fault: Sendable, Hashable {
  /// The vocabulary of misbehaviour; the raw value is its name in text.
  package enum Kind: String, Sendable, CaseIterable {
    case dropConnection = "drop-connection"
    case swallowReply = "swallow-reply"
    case delayReplies = "delay-replies"
    case launchError = "launch-error"
    case duplicateBroadcasts = "duplicate-broadcasts"
    case emptyStatus = "empty-status"
    case renumberSession = "renumber-session"
    case closeAfterConnect = "close-after-connect"
    case responseType = "response-type"
    case webTransport = "web-transport"
    case refuseLargeQueue = "refuse-large-queue"
    case noQueueRequests = "no-queue-requests"
    case dropCustomData = "drop-custom-data"
    case silent = "silent"
    case mediaNull = "media-null"
    case binaryText = "binary-text"
    case halfFrames = "half-frames"
    case killApplication = "kill-app"
    case refuseControl = "refuse-control"
    case earlyQueueFetch = "early-queue-fetch"
    case stopError = "stop-error"
    case ignoreInvalidLoad = "ignore-invalid-load"
    case earlyConnect = "early-connect"
    case hush
    case repeatStatuses = "repeat-statuses"
    case backwardTime = "backward-time"
    case strayStatus = "stray-status"
    case partialStatus = "partial-status"
    case refuse
    case noTLS = "no-tls"
    case decodeError = "decode-error"
    case networkError = "network-error"
    case earlyEnd = "early-end"
    case stall
    case neverAnswers = "never-answers"
    case silentLoad = "silent-load"

    /// The value after `=`: its name in help, and whether it is required; nil when none is allowed.
    var value: (name: String, isRequired: Bool)? {
      switch self {
      case .dropConnection, .killApplication: ("TYPE", false)
      case .swallowReply: ("TYPE", true)
      case .delayReplies, .earlyConnect, .repeatStatuses, .backwardTime: ("DURATION", true)
      case .hush: ("own|all[/DURATION]", false)
      case .launchError: ("REASON", true)
      case .refuseLargeQueue: ("N", true)
      case .strayStatus: ("SESSION[/ADDRESS]", false)
      case .refuse: ("TYPE/REASON", true)
      case .decodeError, .networkError, .earlyEnd, .neverAnswers, .silentLoad: ("ADDRESS", true)
      case .stall: ("ADDRESS[//DURATION]", true)
      case .duplicateBroadcasts, .emptyStatus, .renumberSession, .closeAfterConnect, .responseType,
        .webTransport, .noQueueRequests, .dropCustomData, .silent, .mediaNull, .binaryText, .halfFrames,
        .refuseControl, .earlyQueueFetch, .stopError, .ignoreInvalidLoad, .partialStatus, .noTLS:
        nil
      }
    }

    /// One line for `--fault help`.
    package var help: String {
      switch self {
      case .dropConnection: "drops the connection when TYPE arrives, or some time after it opened"
      case .swallowReply: "does what TYPE asks but never answers it"
      case .delayReplies: "sends everything but heartbeats that much later"
      case .launchError: "answers LAUNCH with LAUNCH_ERROR and this reason, or REASON/EXTENDED"
      case .duplicateBroadcasts: "sends every broadcast twice"
      case .emptyStatus: "broadcasts a MEDIA_STATUS without entries some time after the launch (default 1s)"
      case .renumberSession: "raises mediaSessionId with every item of a queue"
      case .closeAfterConnect: "answers CONNECT to an application with CLOSE"
      case .responseType: "writes responseType instead of type, as old firmware does"
      case .webTransport: "calls transports web-N, different from the sessionId"
      case .refuseLargeQueue: "refuses loads and inserts of more than N items"
      case .noQueueRequests: "does not know QUEUE_GET_ITEM_IDS and QUEUE_GET_ITEMS"
      case .dropCustomData: "loses every customData"
      case .silent: "accepts connections and never says anything"
      case .mediaNull: "writes media: null where a status has no media"
      case .binaryText: "sends media messages as binary payload"
      case .halfFrames: "sends frames in small pieces"
      case .killApplication: "ends the application when TYPE arrives, or some time after its launch"
      case .refuseControl: "knows no media session of others: they may not control it"
      case .earlyQueueFetch: "refuses QUEUE_GET_… in the second after an item starts"
      case .stopError: "ends a media session and says that there is none"
      case .ignoreInvalidLoad: "never answers a load it does not understand"
      case .earlyConnect: "ends the application when a sender connects that soon after its launch"
      case .hush: "sends no MEDIA_STATUS by itself, or (all) nothing about media, for a time or ever after"
      case .repeatStatuses: "broadcasts every MEDIA_STATUS once more, that much later"
      case .decodeError:
        "plays what has ADDRESS in its address up to the second that @after says, then fails (102)"
      case .networkError: "the same with a connection that breaks (103)"
      case .earlyEnd: "says FINISHED at that second, as of a file that was cut short"
      case .stall: "buffers at that second, for a time or ever after"
      case .neverAnswers: "gets no answer from media servers with ADDRESS in the address"
      case .silentLoad:
        "loses a later item of a queue with ADDRESS in its address, and says so only when asked"
      case .strayStatus:
        "broadcasts one status of another media session (99) some time after the launch (default 1s)"
      case .partialStatus: "broadcasts one status of state and position alone, likewise"
      case .refuse: "refuses TYPE of the media channel for REASON, and does not do it"
      case .noTLS: "accepts connections and never speaks TLS"
      case .backwardTime: "tells in every second MEDIA_STATUS a position that lies so far back"
      }
    }
  }

  package var kind: Kind
  /// The text after `=`.
  package var value: String?
  /// Only the n-th occurrence, from 1; nil is every one.
  package var occurrence: Int?
  /// How long after its beginning (connection, launch) it strikes.
  package var after: Duration?

  package init(_ kind: Kind, value: String? = nil, occurrence: Int? = nil, after: Duration? = nil) {
    self.kind = kind
    self.value = value
    self.occurrence = occurrence
    self.after = after
  }

  /// The list for `--fault help`, one line for each kind.
  package static var help: String {
    Kind.allCases.map { kind in
      let value = kind.value.map { $0.isRequired ? "=\($0.name)" : "[=\($0.name)]" } ?? ""
      let name = kind.rawValue + value
      return "  " + name + String(repeating: " ", count: max(1, 30 - name.count)) + kind.help
    }.joined(separator: "\n")
  }
}

/// Why a fault's text is invalid; the description is for people.
package struct FaultSyntaxError: Error, Hashable, CustomStringConvertible {
  package var description: String
}

extension Fault {
  /// Reads a fault's text form.
  package init(parsing text: String) throws(FaultSyntaxError) {
    var rest = Substring(text)
    var after: Duration?
    if let at = rest.lastIndex(of: "@") {
      let suffix = rest[rest.index(after: at)...]
      guard suffix.hasPrefix("after="), let duration = Duration(parsing: suffix.dropFirst(6)) else {
        throw FaultSyntaxError(description: "“\(suffix)” in fault “\(text)”: write @after=5s or @after=200ms")
      }
      after = duration
      rest = rest[..<at]
    }
    var occurrence: Int?
    if let hash = rest.lastIndex(of: "#") {
      guard let number = Int(rest[rest.index(after: hash)...]), number > 0 else {
        throw FaultSyntaxError(description: "in fault “\(text)” a number from 1 must follow #")
      }
      occurrence = number
      rest = rest[..<hash]
    }
    let parts = rest.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = parts.first.flatMap({ Kind(rawValue: String($0)) }) else {
      throw FaultSyntaxError(description: "unknown fault “\(rest)”; “--fault help” lists them")
    }
    let value = parts.count > 1 ? String(parts[1]) : nil
    switch (kind.value, value) {
    case (nil, .some): throw FaultSyntaxError(description: "fault \(kind.rawValue) takes no value")
    case (let wanted?, let given) where (wanted.isRequired && given == nil) || given == "":
      throw FaultSyntaxError(
        description: "fault \(kind.rawValue) needs a value: \(kind.rawValue)=\(wanted.name)")
    default: break
    }
    if kind.value?.name == "DURATION", Duration(parsing: value ?? "") == nil {
      throw FaultSyntaxError(description: "fault \(kind.rawValue) needs a duration such as 2s or 300ms")
    }
    if kind == .hush, let value, SimHush(parsing: value) == nil {
      throw FaultSyntaxError(description: "fault hush=\(value): write own or all, or all/30s")
    }
    if kind == .strayStatus, let value, SimStray(parsing: value) == nil {
      throw FaultSyntaxError(description: "fault stray-status=\(value): write 99, or 99/http://…")
    }
    if kind == .refuse, value?.split(separator: "/").count != 2 {
      throw FaultSyntaxError(
        description: "fault refuse needs a type and a reason: refuse=QUEUE_INSERT/INVALID_PARAMS")
    }
    if kind == .refuseLargeQueue, Int(value ?? "") == nil {
      throw FaultSyntaxError(description: "fault refuse-large-queue needs a number of items")
    }
    self.init(kind, value: value, occurrence: occurrence, after: after)
  }
}

extension Duration {
  /// Reads `5s`, `1.5s`, `200ms` or a bare number of seconds; nil for anything else and for negative times.
  package init?(parsing text: some StringProtocol) {
    let scale = text.hasSuffix("ms") ? 0.001 : 1
    let digits =
      text.hasSuffix("ms") ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast(1) : text.dropLast(0)
    guard let value = Double(String(digits)), value.isFinite, value >= 0, value < 1_000_000_000 else {
      return nil
    }
    self = .bounded(seconds: value * scale)
  }
}
