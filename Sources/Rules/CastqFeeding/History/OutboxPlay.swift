/// A play that has ended, as the outbox gives it to a centre.
package struct OutboxPlay: Sendable, Hashable {
  /// Its number in the order of the ends, unique at its site.
  package let seq: Int64
  /// What the seal of the play is over; `chain` is 0 without a seal.
  package let words: PlayWords
  /// The hash of the seal; nil without one.
  package let hash: String?
  /// What castq found out about a failure, as far as that is known now; nil is nothing.
  package let note: String?

  package init(seq: Int64, words: PlayWords, hash: String?, note: String?) {
    self.seq = seq
    self.words = words
    self.hash = hash
    self.note = note
  }
}
