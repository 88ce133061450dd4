import CastqCore
import CastqMediaServer

/// The media of a runner's entries, where its device can fetch them.
struct EntryMedia {
  private let resolver: MediaResolver
  private var published = PublishedMedia()

  init(_ resolver: MediaResolver) { self.resolver = resolver }

  /// The places with addresses that the device can open, as far as there are.
  mutating func resolve(_ places: [UpcomingEntry]) -> [UpcomingEntry] {
    var places = places
    for index in places.indices {
      var links: Set<MediaLink> = []
      do throws(MediaResolver.Problem) {
        places[index].draft = try resolver.resolve(places[index].draft, publishing: &links)
      } catch {
        places[index].problem = error.message
      }
      published.add(links, for: places[index].entry)
    }
    return places
  }

  /// What a receiver holds. What it fetches from us is served where it fetches it; a turn whose file is unavailable is an orphan.
  mutating func resume(_ held: [HeldTurn]) -> [HeldTurn] {
    held.map { turn in
      var turn = turn
      turn.isOrphaned = MediaResolver.serves(turn.place.draft) && !publishAgain(turn.place)
      return turn
    }
  }

  private mutating func publishAgain(_ place: UpcomingEntry) -> Bool {
    guard resolver.hasLastingAddresses else { return false }
    var links: Set<MediaLink> = []
    let isServed = (try? resolver.resolve(place.draft, publishing: &links)) != nil
    published.add(links, for: place.entry)
    return isServed
  }

  /// Withdraws what none of these entries needs.
  mutating func keep(_ entries: Set<EntryID>) { resolver.withdraw(published.keep(entries)) }
}
