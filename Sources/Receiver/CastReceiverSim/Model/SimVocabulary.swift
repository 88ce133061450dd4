import CastProtocol

/// One transport connection of a sender, numbered by the owner of the sockets.
package struct SimConnectionID: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let number: Int
  package init(_ number: Int) { self.number = number }
  package var description: String { "c\(number)" }
  package static func < (left: SimConnectionID, right: SimConnectionID) -> Bool { left.number < right.number }
}

/// One download the model asked for.
package struct SimFetchID: Sendable, Hashable {
  package let number: Int
  package init(_ number: Int) { self.number = number }
}

/// The timers of one receiver. Starting a timer that runs replaces it.
package enum SimTimerID: Sendable, Hashable {
  /// Next PING of a connection.
  case heartbeat(SimConnectionID)
  /// Next step of a launch.
  case launch
  /// Next deadline of the running application.
  case application
  /// A timed fault.
  case fault(Int)
  /// The device comes up again.
  case boot
  /// The device is on the network again.
  case network
  /// Next deadline of the page application.
  case pages
  /// End of a `SimHush`.
  case hush
  /// A message held back by a fault.
  case delayedMessage(Int)

  /// Whether a driver must not speed the timer up: the peer's heartbeats and timeouts run in real time.
  package var runsInRealTime: Bool {
    switch self {
    case .heartbeat, .boot, .network: true
    case .launch, .application, .fault, .pages, .hush, .delayedMessage: false
    }
  }
}

/// The facts read from a medium's bytes.
package struct MediaFacts: Sendable, Hashable {
  /// Playing time in seconds; nil when the bytes do not state it.
  package var duration: Double?
  /// The content type of the HTTP response, without parameters; nil when there was none.
  package var contentType: String?
  package var isImage: Bool
  package var width: Int?
  package var height: Int?
  /// The document itself, when one was requested.
  package var text: String?
  /// Where it breaks off or stalls; nil plays to the end.
  package var flaw: MediaFlaw?

  package init(
    duration: Double? = nil, contentType: String? = nil, isImage: Bool = false, width: Int? = nil,
    height: Int? = nil, text: String? = nil, flaw: MediaFlaw? = nil
  ) {
    self.duration = duration
    self.contentType = contentType
    self.isImage = isImage
    self.width = width
    self.height = height
    self.text = text
    self.flaw = flaw
  }

  /// The content type with which a fetch requests the document itself.
  package static let documentType = "application/vast+xml"
}

/// Where a medium that plays breaks off or stalls.
package enum MediaFlaw: Sendable, Hashable {
  /// At that second the decoder (102) or the network (103) fails (protocol 6.6).
  case breaks(at: Double, code: Int)
  /// From that second no data arrives for a time; nil is for ever.
  case stalls(at: Double, for: Duration?)
  /// At that second it is over, and FINISHED, as of a file that was cut short.
  case ends(at: Double)
}

/// Why a medium is unavailable.
package enum FetchFailure: Sendable, Hashable {
  /// The server answered with this HTTP status.
  case status(Int)
  case unreachable
  case timedOut
  case tooManyRedirects
  /// Bytes came, but they are no medium this device can play.
  case unsupported
}

/// The driver's (or a test's) answer to a fetch.
package enum FetchResult: Sendable, Hashable {
  case loaded(MediaFacts)
  case failed(FetchFailure)
}

extension SeededGenerator {
  /// A text in the form of a random UUID.
  mutating func identifier() -> String {
    func digits(_ value: UInt64, _ count: Int) -> String {
      let text = String(value, radix: 16)
      return String((String(repeating: "0", count: max(0, 16 - text.count)) + text).suffix(count))
    }
    let high = next()
    let low = next()
    return [
      digits(high >> 32, 8), digits(high >> 16, 4), "4" + digits(high, 3), "a" + digits(low >> 48, 3),
      digits(low, 12),
    ].joined(separator: "-")
  }
}
