package import CastProtocol

/// What became of a live command, as one line of JSON.
package enum ControlReply: Sendable, Hashable {
  /// Done; an object of what the command tells, empty when it tells nothing.
  case done(JSONValue)
  case failed(ControlFailure)
}

extension ControlReply {
  /// Done, with nothing to tell.
  package static let done = ControlReply.done([:])

  /// What the command tells, or why it was not done.
  package func get() throws(ControlFailure) -> JSONValue {
    switch self {
    case .done(let data): return data
    case .failed(let failure): throw failure
    }
  }

  package var json: JSONValue {
    switch self {
    case .done(let data): ["castq": .integer(Int64(ControlRequest.version)), "done": data]
    case .failed(let failure): ["castq": .integer(Int64(ControlRequest.version)), "error": failure.json]
    }
  }

  /// The line to send, with its end; a reply that is too long for one becomes a failure that says so.
  package var line: [UInt8] {
    let bytes = Array(json.text.utf8)
    guard bytes.count <= ControlRequest.lineLimit else {
      return ControlReply.failed(
        ControlFailure(
          "reply_too_long", "the answer of \(bytes.count) bytes is longer than a line may be", exit: .bug)
      ).line
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  /// Reads one line, without its end.
  package init(parsing line: [UInt8]) throws(ControlFailure) {
    guard line.count <= ControlRequest.lineLimit, let json = try? JSONValue(parsing: line),
      json["castq"]?.int == ControlRequest.version
    else { throw .badReply }
    if let failure = ControlFailure(json: json["error"]) {
      self = .failed(failure)
    } else if let data = json["done"] {
      self = .done(data)
    } else {
      throw .badReply
    }
  }
}

extension ControlRequest {
  /// The line to send, with its end. Only a message for an application can be too long for one.
  package func line() throws(ControlFailure) -> [UInt8] {
    let bytes = Array(json.text.utf8)
    guard bytes.count <= Self.lineLimit else {
      throw ControlFailure(
        "message_too_big",
        "the message takes \(bytes.count) bytes and \(Self.lineLimit) are the most; send less",
        exit: .badData)
    }
    return bytes + [UInt8(ascii: "\n")]
  }
}

extension ControlFailure {
  static let badReply = ControlFailure(
    "bad_reply", "the feeder answered with something else; end it and start it anew", exit: .unreachable)
}
