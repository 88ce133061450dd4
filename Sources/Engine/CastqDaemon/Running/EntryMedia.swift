import CastGuard
import CastProtocol
import CastqFeeding
import CastqMediaServer
import CastqPlaylists
import CastqText

/// Publishes the local media of a runner's entries for its device.
struct EntryMedia {
  private let resolver: MediaResolver
  let probes: FileProbes?
  private let pictures: FilePictures?
  private let subtitles: SubtitleChoice
  private let style: MediaTextTrackStyle?
  let prepared: PreparedMedia?
  private(set) var live: LiveMedia?
  let links: LinkPrograms
  let allowed: LocalPlaces
  let inbox: RunnerInbox
  private var published = PublishedMedia()
  private var directories = DirectoryPictures()
  private var reading = FirstReading(patience: Self.patience)

  /// - Parameters:
  ///   - probes: what the files are made of; nil knows nothing.
  ///   - pictures: the pictures in the files; nil has none.
  ///   - subtitles: what entries start with that do not say it.
  ///   - style: how text looks in entries that do not say it; nil leaves it to the receiver.
  ///   - prepared: what is sent in place of files that the device does not play; nil sends all as they are.
  ///   - live: what is converted while it plays; nil converts nothing.
  ///   - links: the programs that find what a page plays.
  ///   - allowed: places that may be asked whoever names them.
  ///   - inbox: where it is said that something need not be waited for any more.
  init(
    _ resolver: MediaResolver, _ probes: FileProbes?, _ pictures: FilePictures?, subtitles: SubtitleChoice,
    style: MediaTextTrackStyle?, prepared: PreparedMedia?, live: LiveMedia?, links: LinkPrograms,
    allowed: LocalPlaces, inbox: RunnerInbox
  ) {
    self.prepared = prepared
    self.live = live
    self.links = links
    self.allowed = allowed
    self.inbox = inbox
    self.resolver = resolver.allowing(allowed).preferring(subtitles)
    self.probes = probes
    self.pictures = pictures
    self.subtitles = subtitles
    self.style = style
  }

  /// Replaces local addresses by ones the device can open, and chooses the subtitles of entries that do not. An entry without an
  /// address gets a problem.
  ///
  /// An entry waits once for its file to be read: its title, length and picture are sent with it, and cannot be sent later, and what no
  /// device plays is sent converted. What comes next while something plays may wait for its file to be converted, too.
  /// - Parameters:
  ///   - waiting: the places from which on some may wait: 1 where nothing plays before the first one.
  ///   - changed: called when one of those need not wait for its conversion any more.
  /// - Returns: the places up to the first one that waits, and the files of all that are not known.
  mutating func resolve(
    _ places: [UpcomingEntry], waitingFrom waiting: Int, at now: Tick,
    changed: @escaping @Sendable () -> Void
  ) -> (places: [UpcomingEntry], unknown: [String]) {
    let unknown = unknownFiles(of: places)
    var places = places
    // All that are unknown are being read from now on.
    let waits = places.indices.map { wait(for: places[$0], unknown, at: now) != nil }
    if let wait = waits.indices.dropFirst(waiting).first(where: { waits[$0] }) {
      places.removeSubrange(wait...)
    }
    if let prepared,
      let wait = places.indices.dropFirst(waiting).first(where: {
        prepared.isAwaited(places[$0].draft, changed: changed)
      })
    {
      places.removeSubrange(wait...)
    }
    for index in places.indices {
      reading.release(places[index].entry)
      var links: Set<MediaLink> = []
      do throws(MediaResolver.Problem) {
        places[index].mayBeConverted = try publish(
          &places[index].draft, &links, isRefused: places[index].attempts > 0)
        places[index].draft.fillActiveTracks(subtitles)
        if let style { places[index].draft.fillTextStyle(style) }
      } catch {
        places[index].problem = error.message
      }
      published.add(links, for: places[index].entry)
    }
    return (places, unknown)
  }

  /// The files of these entries that have not been probed.
  func unknownFiles(of places: [UpcomingEntry]) -> [String] {
    guard let probes else { return [] }
    return places.compactMap(\.draft.probedPath).filter { probes.known($0) == .unknown }
  }

  /// How long an entry still waits for its file; nil when it does not.
  mutating func wait(for place: UpcomingEntry, _ unknown: [String], at now: Tick) -> Duration? {
    guard let path = place.draft.probedPath, unknown.contains(path) else { return nil }
    return reading.left(for: place.entry, at: now)
  }

  /// Completes an entry with what is known of its file, and publishes all that belongs to it.
  /// - Parameter isRefused: whether the device has refused it in this round.
  /// - Returns: whether the device may refuse its file, which is converted then.
  private mutating func publish(
    _ draft: inout EntryDraft, _ links: inout Set<MediaLink>, isRefused: Bool
  ) throws(MediaResolver.Problem) -> Bool {
    let path = draft.probedPath
    var probe: MediaProbe?
    if let path, case .result(let result)? = probes?.known(path) { probe = result.probe }
    draft.fill(from: probe)
    if let path, draft.media.metadata?.images.isEmpty != false {
      let isMusic = draft.media.contentType?.hasPrefix("audio/") == true
      if let picture = directories.picture(of: path, isMusic: isMusic) {
        draft.media.show(Image(url: FilePath.url(picture)))
      }
    }
    let isTrial = try resolve(&draft, publishing: &links, isRefused: isRefused)
    // What is beside the file may be unusable.
    if let path, let probe, draft.media.metadata?.images.isEmpty != false {
      addPicture(of: path, probe, to: &draft.media, &links)
    }
    return isTrial
  }

  private func addPicture(
    of path: String, _ probe: MediaProbe, to media: inout MediaInformation, _ links: inout Set<MediaLink>
  ) {
    guard let pictures, let kind = PictureKind(of: probe),
      let address = resolver.address(of: pictures.document(kind, of: path), publishing: &links)
    else { return }
    var image = Image(url: address)
    if case .cover(_, let size?) = kind { (image.width, image.height) = (size.width, size.height) }
    media.show(image)
  }

  /// Gives an entry its prepared file, else its own, or what is made of it while it plays: a prepared one may be removed at any moment, to make
  /// room for others.
  /// - Returns: whether it is a file that the device may refuse, and that is converted then.
  private mutating func resolve(
    _ draft: inout EntryDraft, publishing links: inout Set<MediaLink>, isRefused: Bool
  ) throws(MediaResolver.Problem) -> Bool {
    let (prepared, resolver) = (prepared, resolver)
    if let chosen = prepared?.chosen(draft), chosen != draft {
      do throws(MediaResolver.Problem) {
        draft = try resolver.resolve(chosen, publishing: &links)
      } catch {
        draft = try resolver.resolve(draft, publishing: &links)
      }
      return false
    }
    let choice = live?.choice(draft, prepared, by: resolver, isRefused: isRefused, &links) ?? .file
    if case .conversion(let converted) = choice {
      draft = try resolver.resolve(converted, publishing: &links)
      return false
    }
    draft = try resolver.resolve(draft, publishing: &links)
    if case .trial = choice { return true }
    return false
  }

  /// Republishes the local media that a receiver holds, at the same addresses. Of a turn whose file is unavailable, the serving process is gone.
  mutating func resume(_ held: [HeldTurn]) -> [HeldTurn] {
    held.map { turn in
      var turn = turn
      reading.release(turn.place.entry)
      if MediaResolver.serves(turn.place.draft) { turn.serving = republish(turn.place) ? .again : .gone }
      return turn
    }
  }

  private mutating func republish(_ place: UpcomingEntry) -> Bool {
    let (prepared, resolver) = (prepared, resolver)
    guard resolver.hasLastingAddresses else { return false }
    var links: Set<MediaLink> = []
    var draft = place.draft
    let isSentNow = (try? publish(&draft, &links, isRefused: place.attempts > 0)) != nil
    // It may have been sent before its file was prepared or refused, or since: the device goes on with either.
    let isSentBefore = (try? resolver.resolve(place.draft, publishing: &links)) != nil
    _ = live?.choice(place.draft, prepared, by: resolver, isRefused: true, &links)
    let isServed = isSentNow || isSentBefore
    published.add(links, for: place.entry)
    return isServed
  }

  /// The device is connected, at this IP address.
  /// - Returns: whether files were served at another address before.
  func follow(_ device: String) -> Bool { resolver.follow(device) }

  /// Withdraws all media except those of these entries.
  mutating func keep(_ entries: Set<EntryID>) { resolver.withdraw(published.keep(entries)) }
}

extension MediaInformation {
  /// Gives it its only picture.
  fileprivate mutating func show(_ image: Image) {
    let isMusic = contentType?.hasPrefix("audio/") == true
    var metadata = metadata ?? MediaMetadata(kind: isMusic ? .musicTrack : .generic)
    metadata.images = [image]
    self.metadata = metadata
  }
}
