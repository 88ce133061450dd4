public import CastProtocol

/// Why something a person wanted was not done, in words that they can act on.
public struct PresentationFailure: Error, Sendable, Hashable {
  /// What failed, such as `the volume of Kitchen is fixed`.
  public var message: String
  /// What to do: a clause without a full stop. Empty when nothing helps.
  public var nextStep: String
  /// The word of the error's code, such as `not_allowed`; nil when it has none.
  public var code: String?

  /// A failure in words.
  public init(_ message: String, nextStep: String, code: String? = nil) {
    self.message = message
    self.nextStep = nextStep
    self.code = code
  }

  /// The words of an error and its advice.
  public init(_ error: CastError) {
    self.init(error.message, nextStep: error.advice, code: "\(error.code)")
  }

  /// Message and next step as one line, without a full stop.
  public var line: String {
    nextStep.isEmpty || message.contains(nextStep) ? message : "\(message): \(nextStep)"
  }
}

/// The outcome of an intent.
public enum IntentOutcome: Sendable, Hashable {
  /// A command is on its way.
  case pending
  /// It was done.
  case done
  /// A newer intent of the same kind replaced it.
  case superseded
  /// It was not done.
  case failed(PresentationFailure)
}

/// An intent and its outcome.
public struct IntentRecord: Sendable, Hashable {
  /// The caller's number.
  public let id: IntentID
  /// What was wanted.
  public let intent: PresentationIntent
  /// Its outcome so far.
  public internal(set) var outcome: IntentOutcome
  /// When it was wanted.
  public let since: Tick

  /// Whether the outcome is still open.
  public var isPending: Bool { outcome == .pending }
}

/// A line or a dialog for a person: an error, an end, or an action of others.
public struct PresentationNotice: Sendable, Hashable {
  /// What it is about. Cases may be added.
  public enum Kind: Sendable, Hashable {
    /// Something that was wanted was not done.
    case failure
    /// The session has ended with an error.
    case sessionEnded
    /// Another application, or another sender's, took the device.
    case takenOver
    /// Another sender, or a person at the device, changed something; the session continues.
    case changedByOthers
  }

  /// Its number, which `PresentationIntent.dismissNotice` takes; unique within a presentation.
  public let id: Int
  /// What it is about.
  public let kind: Kind
  /// What happened.
  public let message: String
  /// What to do: a clause without a full stop. Empty when there is nothing to do.
  public let nextStep: String
  /// When it happened.
  public let at: Tick
}
