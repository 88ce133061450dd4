package import CastProtocol
package import CastqText

/// What came of a connection to the device. The connection is a second one and invisible to applications: it disturbs nothing that
/// plays.
package struct ConnectionFinding: Sendable, Hashable {
  /// How far the connection came.
  package enum Outcome: Sendable, Hashable {
    /// There is no device to connect to, or its rules cannot be used.
    case none(Failure)
    /// Something else is missing first.
    case notTried
    /// It reported its status.
    case answered
    case failed(CastErrorSummary)
  }

  /// What the device proved.
  package enum Proof: Sendable, Hashable {
    /// Nothing was required: proofs are switched off, or the device is in no ledger.
    case notRequired
    /// The key that was pinned before, or is pinned from now on.
    case pinned(key: String)
    /// A key that is not pinned: that of a group's leader, or one that could not be stored.
    case unpinned(isGroup: Bool)
    /// A certificate that leads to one of the given roots.
    case roots
    /// It says that it cannot.
    case cannot
    /// It leaves the challenge unanswered.
    case silent
    /// The proof is wrong, or that of another device.
    case refused(CastErrorSummary)
  }

  /// Host and port.
  package var endpoint: String
  /// The device's name as it is typed in a command, quoted for a shell.
  package var typedLabel: String
  /// Whether a key of the device is pinned, which `castq device unpin` forgets.
  package var isPinned: Bool
  package var outcome: Outcome
  /// Nil when the connection did not come so far.
  package var proof: Proof?
  /// Why what feeds the device is not connected to it now, and what to do; nil when it is, or nothing feeds it.
  package var feederProblem: String?

  package init(
    endpoint: String, typedLabel: String, isPinned: Bool = false, outcome: Outcome, proof: Proof? = nil
  ) {
    self.endpoint = endpoint
    self.typedLabel = typedLabel
    self.isPinned = isPinned
    self.outcome = outcome
    self.proof = proof
  }

  /// The part of the path at which it failed; nil when it did not.
  private var failure: (stage: CastErrorSummary.Stage, error: CastErrorSummary)? {
    guard case .failed(let error) = outcome else { return nil }
    return (error.stage, error)
  }

  private var isUntried: Bool {
    switch outcome {
    case .none, .notTried: true
    case .answered, .failed: false
    }
  }

  /// Whether the device reported its status.
  package var hasAnswered: Bool { outcome == .answered }

  /// Why nothing could be launched, beside what the other verdicts say; nil when the device answers, or was not reached at all.
  package var silence: DoctorVerdict? {
    guard let failure, failure.stage == .answer else { return nil }
    return .fail(
      .launch, message: failure.error.message,
      exit: failure.error.exit == .timeout ? .unreachable : failure.error.exit)
  }

  package var verdicts: [DoctorVerdict] { [address, tls, authentication] }

  private var address: DoctorVerdict {
    if outcome == .notTried { return .skipped(.address, "there is no list of devices to find it in") }
    if case .none(let failure) = outcome {
      return .fail(.address, failure)
    }
    guard let failure, failure.stage == .address else {
      guard let feederProblem else { return .ok(.address, "\(endpoint) accepts connections") }
      return .warn(
        .address,
        message: "\(endpoint) accepts connections, but what feeds it is not connected: \(feederProblem)")
    }
    return .fail(.address, message: failure.error.message, exit: failure.error.exit)
  }

  private var tls: DoctorVerdict {
    if isUntried { return .skipped(.tls, Self.unreached) }
    guard let failure, failure.stage <= .tls else { return .ok(.tls, "the connection is encrypted") }
    guard failure.stage == .tls else { return .skipped(.tls, Self.unreached) }
    return .fail(.tls, message: failure.error.message, exit: failure.error.exit)
  }

  private var authentication: DoctorVerdict {
    if isUntried { return .skipped(.authentication, Self.unreached) }
    if let failure, failure.stage == .authentication { return refused(failure.error) }
    switch proof {
    case nil: return .skipped(.authentication, Self.unreached)
    case .notRequired: return .skipped(.authentication, "no proof is required of this device")
    case .pinned(let key): return .ok(.authentication, "it proved its pinned key, \(key.prefix(8))…")
    case .unpinned(let isGroup):
      return .ok(
        .authentication,
        isGroup
          ? "it proved the key of the group's leader, which is not pinned"
          : "it proved a key, which was not stored")
    case .roots: return .ok(.authentication, "its certificate leads to one of the given roots")
    case .cannot:
      return .warn(
        .authentication, "it cannot prove who it is, and is used anyway",
        advice: FaceWords(
          typed: "accept that with 'castq device pin \(typedLabel) --off', if the device is the right one",
          paged: "check that it is the right device"))
    case .silent:
      return .warn(
        .authentication, "it leaves the challenge unanswered, and is used anyway",
        advice: FaceWords(
          typed: "restart the device, or accept that with 'castq device pin \(typedLabel) --off'",
          paged: "restart the device"))
    case .refused(let error): return refused(error)
    }
  }

  private func refused(_ error: CastErrorSummary) -> DoctorVerdict {
    let (words, advice) = DoctorVerdict.halves(of: error.message)
    let unpin = FaceWords(
      typed: "'castq device unpin \(typedLabel)' forgets the pinned key, if the device was replaced",
      paged: "if the device was replaced, its pinned key has to be forgotten")
    return .fail(
      .authentication, words, advice: isPinned ? unpin : advice.map { FaceWords($0) }, exit: .notPermitted)
  }

  static let unreached = "the device was not reached"
}

/// An error of a connection, with the part of the path that it belongs to.
package struct CastErrorSummary: Sendable, Hashable {
  /// Parts of the path, nearest first.
  package enum Stage: Int, Sendable, Hashable, Comparable {
    case address, tls, authentication
    /// Everything after: the device is connected, and does not do what it is asked.
    case answer

    package static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
  }

  package let stage: Stage
  /// What happened and, after a semicolon, what to do.
  package let message: String
  package let exit: ExitStatus

  package init(_ error: CastError) {
    exit = Failure(error).exit
    let words = error.message.contains("; ") ? error.message : "\(error.message); \(error.advice)"
    let reason = [error.receiverType, error.receiverReason].compactMap { $0 }.joined(separator: " ")
    message = reason.isEmpty ? words : words.replacing("; ", with: " (\(reason)); ", maxReplacements: 1)
    stage =
      switch error.code {
      case .hostUnknown, .connectionRefused, .networkNotReachable, .networkError: .address
      case .secureTransportError, .protocolError: .tls
      case .notAllowed: .answer
      default: exit == .notPermitted ? .authentication : .answer
      }
  }
}
