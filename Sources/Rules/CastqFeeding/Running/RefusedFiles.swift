import CastqPlaylists

/// Attempts on files that the device has refused and nobody has read: only a file that is known can be converted. Each attempt waits
/// once, until its file was read:
///
///     as it is ──the device refuses it──> asked ──read, or not readable──> sent
///
/// A file that changes all the time is never known. Its attempt goes on when it has been asked once.
struct RefusedFiles: Sendable {
  private enum Attempt: Sendable { case asked, answered }

  private var attempts: [EntryTurn: Attempt] = [:]

  /// Attempts that are remembered. A longer list of refusals asks again.
  private static let most = 4096

  /// A file to read, for an attempt.
  struct Request: Sendable, Hashable {
    let path: String
    let turn: EntryTurn
  }

  /// Marks the places that wait; what comes after them is not sent before them.
  /// - Returns: the places, and the files to read, each once.
  mutating func prepare(_ places: [UpcomingEntry]) -> (places: [UpcomingEntry], requests: [Request]) {
    var requests: [Request] = []
    let prepared = places.map { place in
      guard place.attempts > 0, place.problem == nil, place.link == .direct, let path = place.unreadFile
      else {
        return place
      }
      let turn = EntryTurn(entry: place.entry, turn: place.turn)
      switch attempts[turn] {
      case .answered: return place
      case .asked: break
      case nil:
        if attempts.count >= Self.most { attempts = [:] }
        attempts[turn] = .asked
        requests.append(Request(path: path, turn: turn))
      }
      var place = place
      place.link = .awaited
      return place
    }
    return (prepared, requests)
  }

  /// What there is to know of a file is known.
  /// - Returns: whether somebody waits for it.
  mutating func answer(_ turn: EntryTurn) -> Bool {
    guard attempts[turn] == .asked else { return false }
    attempts[turn] = .answered
    return true
  }
}
