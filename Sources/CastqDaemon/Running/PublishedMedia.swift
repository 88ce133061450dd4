import CastqCore
import CastqMediaServer

/// Which files are reachable for the sake of which entries, so that none stays so for longer than an entry needs it.
struct PublishedMedia {
  private var links: [EntryID: Set<MediaLink>] = [:]

  /// These were published for an entry.
  mutating func add(_ new: Set<MediaLink>, for entry: EntryID) {
    if !new.isEmpty { links[entry, default: []].formUnion(new) }
  }

  /// Forgets all other entries.
  /// - Returns: what none of the kept entries needs.
  mutating func keep(_ entries: Set<EntryID>) -> Set<MediaLink> {
    let gone = links.filter { !entries.contains($0.key) }
    for entry in gone.keys { links[entry] = nil }
    return Set(gone.values.joined()).subtracting(links.values.joined())
  }
}
