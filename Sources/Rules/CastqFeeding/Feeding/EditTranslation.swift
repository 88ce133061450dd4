package import CastProtocol

// Between the sender's words and the feeder's.

extension EditFailure {
  /// What a failed command means for the window.
  package init(_ error: CastError) {
    let kind: Kind =
      switch error.code {
      case .mediaLoadFailed, .mediaError: .loadFailed
      case .cancelled: .cancelled
      case .noMediaSession: .noMediaSession
      case .invalidMediaPlayerState: .invalidState
      case .timeout: .timeout
      case _ where error.isEndOfSession: .sessionEnded
      case .invalidRequest where error.receiverReason == "INVALID_MEDIA_SESSION_ID": .noMediaSession
      default: .refused
      }
    self.init(kind: kind, reason: PlayReason(error))
  }
}

extension StatusAnswer {
  /// What a question that failed says; nil when it says nothing of the receiver.
  package init?(_ error: CastError) {
    switch EditFailure(error).kind {
    case .noMediaSession, .invalidState: self = .nothingLoaded
    case .timeout: self = .silence
    case .loadFailed, .cancelled, .refused, .sessionEnded: return nil
    }
  }
}

extension CastError {
  /// Whether a request failed because the session or its application ended: that is no answer of the receiver.
  package var isEndOfSession: Bool {
    switch code {
    case .applicationNotRunning, .applicationReplaced, .sessionIsNotActive, .disconnected,
      .deviceNotConnected,
      .networkError, .networkNotReachable:
      true
    default: false
    }
  }
}

extension PlayReason {
  /// The receiver's words; castq's when it sent none.
  package init(_ error: CastError) {
    self.init(
      errorType: error.receiverType, errorReason: error.receiverReason, detailedCode: error.detailedErrorCode,
      note: error.receiverType == nil ? error.message : nil)
  }
}

extension QueueChange {
  /// What the feeder has to know of a change.
  package init(_ change: MediaQueueChange) {
    switch change.kind {
    case .insert: self = .insert(change.itemIDs, before: change.insertBefore)
    case .remove: self = .remove(change.itemIDs)
    case .update where !change.itemIDs.isEmpty: self = .update(change.itemIDs)
    case .update, .itemsChange, .noChange, .unknown: self = .other
    }
  }
}
