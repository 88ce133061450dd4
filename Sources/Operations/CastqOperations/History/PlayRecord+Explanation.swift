package import CastqFeeding

extension PlayRecord {
  /// Why it ended as it did, in words without a receiver's codes; nil where nothing is to be explained. `reasonWords` has the codes, too.
  package var explanation: String? {
    let ownNote = reason.map { PlayReason(note: $0.note) }
    let words = PlayReason.words(cause, by: causedBy, ownNote, unobserved: unobserved, attempt: attempt)
    return words ?? (outcome == .failed ? "the screen could not play it" : nil)
  }
}
