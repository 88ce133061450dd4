package import CastProtocol
package import CastqText

/// The result of a command, as one line of JSON.
package enum ControlReply: Sendable, Hashable {
  /// The command succeeded; an object with its result, empty when it has none.
  case done(JSONValue)
  case failed(Failure)
}

extension ControlReply {
  /// The command succeeded without a result.
  package static let done = ControlReply.done([:])

  /// The result of the command; throws its failure.
  package func get() throws(Failure) -> JSONValue {
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

  /// The line to send, with its line feed; a reply that is too long for one line becomes a failure.
  package var line: [UInt8] {
    let bytes = Array(json.text.utf8)
    guard bytes.count <= ControlRequest.lineLimit else {
      return ControlReply.failed(
        Failure(
          "reply_too_long", "the reply of \(bytes.count) bytes is too long for a line", exit: .bug)
      ).line
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  /// Reads one line, without its line feed.
  package init(parsing line: [UInt8]) throws(Failure) {
    guard line.count <= ControlRequest.lineLimit, let json = try? JSONValue(parsing: line),
      json["castq"]?.int == ControlRequest.version
    else { throw .badReply }
    if let failure = Failure(json: json["error"]) {
      self = .failed(failure)
    } else if let data = json["done"] {
      self = .done(data)
    } else {
      throw .badReply
    }
  }
}

extension ControlRequest {
  /// The line to send, with its line feed. Only a message for an application can be too long.
  package func line() throws(Failure) -> [UInt8] {
    let bytes = Array(json.text.utf8)
    guard bytes.count <= Self.lineLimit else {
      throw Failure(
        "message_too_big",
        "the message takes \(bytes.count) bytes, the limit is \(Self.lineLimit); send less",
        exit: .badData)
    }
    return bytes + [UInt8(ascii: "\n")]
  }
}

extension Failure {
  package static let badReply = Failure(
    "bad_reply", "the feeder sent an invalid reply; restart it", exit: .unreachable)
}
