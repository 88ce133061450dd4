import CastProtocol
import CastqCore
import CastqMediaServer

/// Publishes the local media of a runner's entries for its device.
struct EntryMedia {
  private let resolver: MediaResolver
  private let subtitles: SubtitleChoice
  private let style: MediaTextTrackStyle?
  private let prepared: PreparedMedia?
  private var published = PublishedMedia()

  /// - Parameters:
  ///   - subtitles: what entries start with that do not say it.
  ///   - style: how text looks in entries that do not say it; nil leaves it to the receiver.
  ///   - prepared: what is sent in place of files that the device does not play; nil sends all as they are.
  init(
    _ resolver: MediaResolver, subtitles: SubtitleChoice, style: MediaTextTrackStyle?,
    prepared: PreparedMedia?
  ) {
    self.prepared = prepared
    self.resolver = resolver
    self.subtitles = subtitles
    self.style = style
  }

  /// Replaces local addresses by ones the device can open, and chooses the subtitles of entries that do not. An entry without an
  /// address gets a problem.
  ///
  /// What comes next while something plays may wait for its file to be converted: it is left out, with all that follow.
  /// - Parameters:
  ///   - mayWait: whether the receiver holds something that plays before them; else the first one does not wait.
  ///   - changed: called when one of those need not wait any more.
  mutating func resolve(
    _ places: [UpcomingEntry], mayWait: Bool, changed: @escaping @Sendable () -> Void
  ) -> [UpcomingEntry] {
    var places = places
    if let prepared,
      let wait = places.indices.dropFirst(mayWait ? 0 : 1).first(where: {
        prepared.isAwaited(places[$0].draft, changed: changed)
      })
    {
      places.removeSubrange(wait...)
    }
    for index in places.indices {
      var links: Set<MediaLink> = []
      do throws(MediaResolver.Problem) {
        places[index].draft = try resolve(places[index].draft, publishing: &links)
        places[index].draft.fillActiveTracks(subtitles)
        if let style { places[index].draft.fillTextStyle(style) }
      } catch {
        places[index].problem = error.message
      }
      published.add(links, for: places[index].entry)
    }
    return places
  }

  /// The prepared file of an entry, else its own: a prepared one may be removed at any moment, to make room for others.
  private func resolve(_ draft: EntryDraft, publishing links: inout Set<MediaLink>) throws(MediaResolver
    .Problem)
    -> EntryDraft
  {
    guard let chosen = prepared?.chosen(draft), chosen != draft else {
      return try resolver.resolve(draft, publishing: &links)
    }
    do throws(MediaResolver.Problem) {
      return try resolver.resolve(chosen, publishing: &links)
    } catch {
      return try resolver.resolve(draft, publishing: &links)
    }
  }

  /// Republishes the local media that a receiver holds, at the same addresses. Of a turn whose file is unavailable, the serving process is gone.
  mutating func resume(_ held: [HeldTurn]) -> [HeldTurn] {
    held.map { turn in
      var turn = turn
      if MediaResolver.serves(turn.place.draft) { turn.serving = republish(turn.place) ? .again : .gone }
      return turn
    }
  }

  private mutating func republish(_ place: UpcomingEntry) -> Bool {
    guard resolver.hasLastingAddresses else { return false }
    var links: Set<MediaLink> = []
    // It may have been sent before the file was prepared, or since: the device goes on with either.
    let drafts = [place.draft] + [prepared?.chosen(place.draft)].compactMap { $0 == place.draft ? nil : $0 }
    let isServed = drafts.map { (try? resolver.resolve($0, publishing: &links)) != nil }.contains(true)
    published.add(links, for: place.entry)
    return isServed
  }

  /// Withdraws all media except those of these entries.
  mutating func keep(_ entries: Set<EntryID>) { resolver.withdraw(published.keep(entries)) }
}
