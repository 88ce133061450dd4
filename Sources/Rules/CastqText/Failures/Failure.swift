package import CastProtocol

/// Why a command failed: exchanged between castq's programs and finally shown to a person.
package struct Failure: Error, Sendable, Hashable {
  /// A stable word for programs, such as `load_failed`.
  package var code: String
  /// What happened, and to what.
  package var message: String
  /// What to do about it, which each face words for its people.
  package var hint: Hint?
  /// What there is to say after the hint, with what joins it.
  package private(set) var remark = ""
  package var exit: ExitStatus
  /// The receiver's own words; nil when it gave none.
  package var receiver: JSONValue?
  /// The device that the message names by its label; nil for none. A page shows the name instead.
  package private(set) var device: Device?

  package struct Device: Sendable, Hashable {
    /// What is typed in commands.
    package var label: String
    /// What people call it.
    package var name: String

    package init(label: String, name: String) { (self.label, self.name) = (label, name) }
  }

  /// - Parameter remark: what there is to say after the hint, with what joins it.
  package init(
    _ code: String, _ message: String, hint: Hint? = nil, remark: String = "", exit: ExitStatus,
    receiver: JSONValue? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.remark = remark
    self.exit = exit
    self.receiver = receiver
  }

  /// A failure of the connection to a device. This is the only place that maps it to an exit code.
  package init(_ error: CastError) {
    let exit: ExitStatus =
      switch error.code {
      // The device is silent. A caller with a time limit of its own reports the time-out itself.
      case .timeout, .hostUnknown, .connectionRefused, .networkError, .networkNotReachable,
        .secureTransportError,
        .deviceNotConnected, .disconnected, .protocolError, .tooManyMessages:
        .unreachable
      case .applicationNotRunning, .applicationNotRunningForJoin, .noMediaSession: .no
      case .applicationReplaced, .sessionIsNotActive: .tryAgain
      case .notAllowed, .deviceAuthenticationFailure, .authenticationErrorReceived,
        .malformedClientCertificate, .notX509Certificate, .deviceCertificateNotTrusted,
        .sslCertificateNotTrusted, .malformedAuthenticationResponse, .deviceCapabilityNotSupported,
        .crlInvalid, .crlCheckFailed, .deviceAuthenticationMessageParseFailure,
        .deviceAuthenticationChallengeReceivedFailure, .deviceAuthenticationTimeoutFailure:
        .notPermitted
      default: .refused
      }
    let words: JSONValue? = error.receiverType.map { type in
      [
        "type": .string(type), "reason": JSONValue(error.receiverReason) ?? .null,
        "detailed_code": JSONValue(error.detailedErrorCode) ?? .null,
      ]
    }
    self.init("\(error.code)", error.description, exit: exit, receiver: words)
  }

  /// A server cannot listen at a place.
  /// - Parameters:
  ///   - reason: the system's words.
  ///   - isLasting: whether only another place helps, so that nobody tries this one again.
  package init(cannotListenAt place: String, _ reason: String, isLasting: Bool) {
    self.init(
      "listen", "cannot listen on \(place): \(reason); choose another place with --listen",
      exit: isLasting ? .configuration : .tryAgain)
  }

  /// The command needs something on the screen, and nothing is.
  package static let nothingPlays = Failure("nothing_playing", "nothing is playing", exit: .no)

  /// The code of what has no connection to the device now, on purpose: the caller performs the command by a session of its own.
  package static let notFeeding = "not_feeding"
}

extension Failure {
  /// The same, naming a device by its label: at the beginning, unless the message names it already.
  package func of(_ device: Device) -> Failure {
    var failure = self
    failure.device = device
    if Self.place(of: device.label, in: message) == nil { failure.message = "\(device.label): \(message)" }
    return failure
  }

  /// Where a message names a device: at its beginning, or as in *failed on tv*.
  private static func place(of name: String, in message: String) -> Range<String.Index>? {
    let isWord = { (place: Range<String.Index>) in
      place.upperBound == message.endIndex || " :;,.".contains(message[place.upperBound])
    }
    if message.hasPrefix(name) {
      let place = message.startIndex..<message.index(message.startIndex, offsetBy: name.count)
      if isWord(place) { return place }
    }
    return message.ranges(of: " on \(name)").first(where: isWord).map { place in
      message.index(place.lowerBound, offsetBy: 4)..<place.upperBound
    }
  }

  /// Says more, at the end.
  package mutating func add(_ words: String) {
    if hint == nil { message += words } else { remark += words }
  }

  /// The same without a hint: for people who have no terminal before them.
  package var plain: Failure { told(nil) }

  /// The same as a person at a terminal reads it: its message says what to type.
  package var typed: Failure { told(hint?.typed) }

  /// The same as a person who looks at a page reads it.
  package var paged: Failure {
    var paged = plain
    if let device, let place = Self.place(of: device.label, in: paged.message) {
      let rest = paged.message[place.upperBound...]
      let isPrefix = place.lowerBound == paged.message.startIndex && rest.hasPrefix(": ")
      if isPrefix, Self.place(of: device.name, in: String(rest.dropFirst(2))) != nil {
        // A failure of the connection has the name already.
        paged.message = String(rest.dropFirst(2))
      } else {
        paged.message.replaceSubrange(place, with: device.name)
      }
    }
    if let words = hint?.paged { paged.message += "; \(words)" }
    return paged
  }

  private func told(_ words: String?) -> Failure {
    var told = self
    (told.message, told.hint, told.remark) = (message + (words ?? "") + remark, nil, "")
    return told
  }

  /// The same with all words changed but those of the hint.
  package func mapWords(_ change: (String) -> String) -> Failure {
    var changed = self
    (changed.message, changed.remark) = (change(message), change(remark))
    return changed
  }

  /// The same as people read it. Its message may quote playlists and receivers: it has no control characters and no
  /// secrets then.
  package var shown: Failure {
    mapWords { TerminalText.sanitized(AddressText.withoutSecrets($0)) }
  }

  /// The members, as in the error document of `--json`, which has no hint: `typed` has it in its message.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "code": .string(code), "message": .string(message), "exit": .integer(Int64(exit.rawValue)),
      "receiver": receiver ?? .null,
    ]
    if let hint { members["hint"] = hint.json }
    if !remark.isEmpty { members["remark"] = .string(remark) }
    return .object(members)
  }

  /// Reads what `json` wrote; nil when it is something else. An unknown exit code counts as a bug.
  package init?(json: JSONValue?) {
    guard let json, let code = json["code"]?.string, let message = json["message"]?.string,
      let exit = json["exit"]?.int
    else { return nil }
    self.init(
      code, message, hint: Hint(json: json["hint"]), remark: json["remark"]?.string ?? "",
      exit: Int32(exactly: exit).flatMap(ExitStatus.init(rawValue:)) ?? .bug,
      receiver: json["receiver"])
  }
}
