import CastGuard
import CastProtocol
import CastqPlaylists

/// The links of upcoming entries: when each is looked for, how long it is used, and what a failure costs.
///
/// A link is looked for when its entry is one of the next three, and again two minutes before it expires. Where links have less than
/// four minutes, it is looked for when its entry is the next one, and again after half of its time. One that was found while the one before still holds replaces it on the receiver; the item that plays is
/// never touched. A page that has no link has failed like any other play: its entry is tried again as often as its rule says, after
/// a pause.
struct EntryLinks: Sendable {
  /// How many places ahead a link is looked for. More would ask sites for what may never be played, and links expire.
  static let ahead = 3
  /// The same where links live for less than twice the margin: others would expire before their turn.
  static let aheadBriefly = 1
  /// How long before it expires a link is replaced.
  static let margin = Duration.seconds(120)
  /// Least time between two attempts on one page.
  static let pause = Duration.seconds(5)

  private struct Found: Sendable {
    let link: ResolvedLink
    let number: LinkNumber
    /// When another one is looked for; nil for never.
    let renewal: Tick?
    /// Nil is for good.
    let expiry: Tick?
  }

  private struct Page: Sendable {
    enum Link: Sendable {
      case none
      case found(Found)
      /// The one that was found has expired: what the receiver holds of it is of no use.
      case expired
    }

    let address: String
    /// Whose words name it.
    let origin: FetchOrigin
    var link = Link.none
    /// The resolution under way; nil when there is none.
    var asked: LinkNumber?
    /// The latest failure, and the turn of the row that it was for.
    var failure: (reason: LinkFailure, turn: Int)?
    /// Not asked again before that moment.
    var resting = Tick.zero
    /// The turn of the row as last read.
    var turn = 0
    /// What the page says of itself was handed out.
    var isDescribed = false

    var found: Found? { if case .found(let found) = link { found } else { nil } }

    mutating func expire(at now: Tick) -> Bool {
      guard let expiry = found?.expiry, expiry <= now else { return false }
      link = .expired
      return true
    }

    /// When it must be asked; nil when it is being asked, has said all, or has failed and nobody has heard of it yet.
    var due: Tick? {
      guard asked == nil else { return nil }
      switch link {
      case .found(let found): return found.renewal.map { max($0, resting) }
      case .none, .expired: return failure?.turn == turn ? nil : resting
      }
    }
  }

  let rules: ResolverRules
  private var pages: [EntryID: Page] = [:]
  /// Entries ahead whose links are kept fresh.
  private var wanted: Set<EntryID> = []
  /// Resolvers whose last link had less than twice the margin.
  private var brief: Set<ResolverRule> = []
  private var lastNumber = 0
  /// What must be looked for; taken by the runner.
  private var requests: [LinkRequest] = []

  init(_ rules: ResolverRules) { self.rules = rules }

  /// The resolutions to begin, each once.
  mutating func takeRequests() -> [LinkRequest] {
    defer { requests = [] }
    return requests
  }

  /// When `refresh` has something to do; nil when never.
  var nextWork: Tick? {
    wanted.compactMap { pages[$0] }.flatMap { [$0.due, $0.found?.expiry].compactMap { $0 } }.min()
  }

  /// The addresses of pages replaced by their links, as far as they are known; what is missing is requested.
  /// - Parameter held: entries that the receiver holds.
  mutating func prepare(_ places: [UpcomingEntry], held: Set<EntryID>, at now: Tick) -> [UpcomingEntry] {
    guard !rules.rules.isEmpty else { return places }
    let listed = Set(places.map(\.entry))
    pages = pages.filter { listed.contains($0.key) || held.contains($0.key) }
    wanted = []
    return places.enumerated().map { index, place in
      let address = place.draft.media.url
      guard place.problem == nil, let rule = rules.rule(for: address) else { return place }
      var place = place
      guard index < (brief.contains(rule) ? Self.aheadBriefly : Self.ahead) else {
        place.link = .later
        return place
      }
      let origin = place.draft.fetchOrigin
      var page =
        pages[place.entry].flatMap { $0.address == address && $0.origin == origin ? $0 : nil }
        ?? Page(address: address, origin: origin)
      page.turn = place.turn
      _ = page.expire(at: now)
      let link = link(of: &page, rule, at: now)
      pages[place.entry] = page
      if !link.isFailure { wanted.insert(place.entry) }
      place.link = link
      if let found = page.found { place.draft.apply(found.link) }
      return place
    }
  }

  private mutating func link(
    of page: inout Page, _ rule: ResolverRule, at now: Tick
  ) -> EntryLink {
    if let found = page.found { return .found(found.number) }
    if let failure = page.failure, failure.turn == page.turn { return .failed(failure.reason) }
    request(&page, rule, at: now)
    if case .expired = page.link { return .expired }
    return page.asked == nil && page.failure != nil ? .paused : .awaited
  }

  /// Begins a resolution that is due.
  private mutating func request(_ page: inout Page, _ rule: ResolverRule, at now: Tick) {
    guard let due = page.due, due <= now else { return }
    lastNumber += 1
    let number = LinkNumber(lastNumber)
    page.asked = number
    page.resting = now + Self.pause
    requests.append(LinkRequest(number: number, address: page.address, rule: rule, origin: page.origin))
  }

  /// Time has passed: requests what is due.
  /// - Returns: whether a link has expired, so that the rows must be read again.
  mutating func refresh(at now: Tick) -> Bool {
    var hasExpired = false
    for entry in wanted.sorted() {
      guard var page = pages[entry], let rule = rules.rule(for: page.address) else { continue }
      if page.expire(at: now) { hasExpired = true }
      request(&page, rule, at: now)
      pages[entry] = page
    }
    return hasExpired
  }

  /// What a result means for its entry.
  struct Change: Sendable {
    var entry: EntryID
    /// What the page says of itself, the first time; nil when it says nothing, or said it before.
    var description: PageDescription?
  }

  /// The result of a resolution.
  /// - Returns: nil when nothing changes for the list.
  mutating func receive(
    _ result: Result<ResolvedLink, LinkFailure>, of number: LinkNumber, at now: Tick
  ) -> Change? {
    guard let entry = pages.first(where: { $0.value.asked == number })?.key, var page = pages[entry] else {
      return nil
    }
    defer { pages[entry] = page }
    page.asked = nil
    switch result {
    case .success(let link):
      page.failure = nil
      if let rule = rules.rule(for: page.address) {
        if link.lifetime.map({ $0 < Self.margin * 2 }) ?? false {
          brief.insert(rule)
        } else {
          brief.remove(rule)
        }
      }
      page.link = .found(
        Found(
          link: link, number: number,
          renewal: link.lifetime.map { now + ($0 - min(Self.margin, $0 / 2)) },
          expiry: link.lifetime.map { now + $0 }))
      let isNew = !page.isDescribed && !link.description.isEmpty
      page.isDescribed = true
      return Change(entry: entry, description: isNew ? link.description : nil)
    case .failure(let reason):
      page.resting = now + Self.pause
      guard let expiry = page.found?.expiry, expiry > now else {
        page.failure = (reason, page.turn)
        return Change(entry: entry)
      }
      // The link that is there is good for a while: it has the rest of its time to be replaced in.
      page.resting = now + max(Self.pause, (expiry - now) / 2)
      return nil
    }
  }

  /// A link that could not be played is not used again.
  mutating func discard(_ entry: EntryID) { pages[entry]?.link = .none }

  /// Nothing is kept fresh until places are prepared again: there is nobody to play it.
  mutating func rest() { wanted = [] }

  /// Whether the address of an entry is that of a page.
  func isPage(_ entry: EntryID) -> Bool { pages[entry] != nil }

  /// The link of an entry; nil when it has none.
  func url(of entry: EntryID) -> String? { pages[entry]?.found?.link.url }
}
