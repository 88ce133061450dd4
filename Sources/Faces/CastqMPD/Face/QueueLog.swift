package import CastqPlaylists

/// The versions of one queue as clients count them: each position has the version in which it got its present song.
///
/// Versions begin at 1 with the process and grow; castq's own name an order and do not.
package struct QueueLog: Sendable {
  package private(set) var version = 1
  package private(set) var songs: [EntryID] = []
  private var changedIn: [Int] = []
  private var places: [EntryID: Int] = [:]

  package init() {}

  /// Adopts the present order.
  /// - Parameter altered: songs whose words have changed although they stand where they stood.
  /// - Returns: whether anything changed.
  @discardableResult
  package mutating func adopt(_ songs: [EntryID], altered: Set<EntryID> = []) -> Bool {
    guard songs != self.songs || !altered.isEmpty else { return false }
    version = version >= Int(Int32.max) ? 1 : version + 1
    var changedIn = changedIn
    if changedIn.count > songs.count { changedIn.removeLast(changedIn.count - songs.count) }
    for (place, song) in songs.enumerated() {
      if place >= changedIn.count {
        changedIn.append(version)
      } else if self.songs[place] != song || altered.contains(song) {
        changedIn[place] = version
      }
    }
    self.changedIn = changedIn
    self.songs = songs
    places = Dictionary(songs.enumerated().map { ($1, $0) }) { $1 }
    return true
  }

  /// The position of a song, from 0; nil when it is not in the queue.
  package func position(of song: EntryID) -> Int? { places[song] }

  /// The positions whose songs have changed since a version; all of them for a version that is none of these.
  package func changes(since old: Int, in range: Range<Int>) -> [Int] {
    let isKnown = (1...version).contains(old)
    return range.clamped(to: 0..<songs.count).filter { !isKnown || changedIn[$0] > old }
  }
}
