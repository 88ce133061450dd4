import CastqPlaylists

/// Errors of the receiver that name an item, until a status confirms or refutes them.
///
/// ERROR carries a code and names an item, but often the wrong one: after a decode or network error a second ERROR names the item
/// that plays next, and a missing ad clip is reported as an error of the film that then plays (protocol 21.22). These rules fit all
/// recordings:
///
/// * An item has failed when MEDIA_STATUS says IDLE/ERROR with it as the current item, or when its load is answered by LOAD_FAILED.
///   Its error, if there was one, is the reason.
/// * PLAYING, or PAUSED, of an item refutes every error before it.
/// * Without such a status, an item has failed when an error named it and it lies before the item that now plays, or when it was on
///   the screen of a media session that is gone (protocol 21.6).
/// * Until then nothing is recorded, and the receiver is asked for its status.
struct ItemErrors: Sendable {
  /// The newest last.
  private var errors: [(turn: EntryTurn, reason: PlayReason)] = []

  /// More than any receiver reports before a status; bounds what a hostile receiver can make this store.
  private static let limit = 64

  subscript(turn: EntryTurn) -> PlayReason? { errors.last { $0.turn == turn }?.reason }

  mutating func insert(_ reason: PlayReason, for turn: EntryTurn) {
    remove(turn)
    errors.append((turn, reason))
    if errors.count > Self.limit { errors.removeFirst() }
  }

  mutating func remove(_ turn: EntryTurn) { errors.removeAll { $0.turn == turn } }
}
