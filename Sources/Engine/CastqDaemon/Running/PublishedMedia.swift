import CastqMediaServer
import CastqPlaylists

/// The published files of each entry, so that files are withdrawn when no entry needs them.
struct PublishedMedia {
  private var links: [EntryID: Set<MediaLink>] = [:]

  /// Adds the links of an entry.
  mutating func add(_ new: Set<MediaLink>, for entry: EntryID) {
    if !new.isEmpty { links[entry, default: []].formUnion(new) }
  }

  /// Removes all other entries.
  /// - Returns: links that none of the kept entries needs.
  mutating func keep(_ entries: Set<EntryID>) -> Set<MediaLink> {
    let gone = links.filter { !entries.contains($0.key) }
    for entry in gone.keys { links[entry] = nil }
    return Set(gone.values.joined()).subtracting(links.values.joined())
  }
}
