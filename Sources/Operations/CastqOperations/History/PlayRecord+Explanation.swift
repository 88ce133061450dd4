package import CastqFeeding

extension PlayRecord {
  /// Why it ended as it did, in words without a receiver's codes; nil where nothing is to be explained. `reasonWords` has the codes, too.
  package var explanation: String? {
    var reason = reason
    reason?.idleReason = nil
    reason?.errorType = nil
    reason?.errorReason = nil
    reason?.detailedCode = nil
    let words = PlayReason.words(cause, by: causedBy, reason, unobserved: unobserved, attempt: attempt)
    return words ?? (outcome == .failed ? "the screen could not play it" : nil)
  }
}
