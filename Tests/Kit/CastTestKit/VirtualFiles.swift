package import CastProtocol
import CastqFeeding
import CastqPlaylists

/// Files that a device refuses as they are, on virtual time: once one was read, the attempt after a refusal is sent converted.
package struct VirtualFiles: Sendable {
  /// What each file is sent as once it is known, by its address.
  package var conversions: [String: String] = [:]
  /// How long reading takes.
  package var latency = Duration.seconds(2)
  /// What was read, and when that began.
  package private(set) var reads: [(at: Tick, file: String)] = []
  /// Whether reading finds out nothing.
  package var isUseless = false
  private var known: Set<String> = []

  package init() {}

  /// The places as a driver gives them to the machine.
  func resolved(_ list: UpcomingList) -> UpcomingList {
    let places = list.places.map { place in
      var place = place
      let file = place.draft.media.url
      guard let converted = conversions[file] else { return place }
      switch (known.contains(file), place.attempts > 0) {
      case (false, _): place.unreadFile = file
      case (true, false): place.mayBeConverted = true
      case (true, true): place.draft.media.contentURL = converted
      }
      return place
    }
    return UpcomingList(places, until: list.until)
  }

  /// These files were read before.
  package mutating func know(_ files: [String]) { known.formUnion(files) }

  /// Begins to read a file. What the reading finds out is known afterwards.
  mutating func read(_ file: String, at now: Tick) {
    reads.append((now, file))
    if !isUseless { known.insert(file) }
  }
}
