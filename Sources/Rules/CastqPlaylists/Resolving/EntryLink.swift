package import CastGuard

/// What is known of the address of an upcoming entry.
package enum EntryLink: Sendable, Hashable {
  /// It needs no resolver: the address is that of the media.
  case direct
  /// It is not time yet to look for it: the places before it come first.
  case later
  /// It is being looked for. What the receiver holds of the entry may stay meanwhile.
  case awaited
  /// There was none a moment ago; it is looked for again after a pause.
  case paused
  /// The one that was found has expired, and another one is being looked for: what the receiver holds of the entry is of no use.
  case expired
  /// Found; the number tells it from the one before.
  case found(LinkNumber)
  /// There is none.
  case failed(LinkFailure)

  /// Whether an item that was sent with another link is of no use any more.
  package func replaces(_ held: EntryLink) -> Bool {
    switch self {
    case .direct, .later, .awaited, .paused, .failed: false
    case .expired: true
    case .found: held != self
    }
  }

  package var isFailure: Bool { if case .failed = self { true } else { false } }

  /// Whether it may be sent later.
  package var isPending: Bool {
    switch self {
    case .later, .awaited, .paused, .expired: true
    case .direct, .found, .failed: false
    }
  }

  /// Whether the entry can be sent.
  package var isReady: Bool {
    switch self {
    case .direct, .found: true
    case .later, .awaited, .paused, .expired, .failed: false
    }
  }
}

/// The resolutions of a runner, counted from 1: the answer to one that was abandoned is not taken for that of the next.
package struct LinkNumber: Sendable, Hashable, CustomStringConvertible {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }

  package var description: String { "link \(rawValue)" }
}

/// A link that a runner needs.
package struct LinkRequest: Sendable, Hashable {
  package var number: LinkNumber
  /// The page.
  package var address: String
  package var rule: ResolverRule
  /// Whose words name the page.
  package var origin: FetchOrigin

  package init(number: LinkNumber, address: String, rule: ResolverRule, origin: FetchOrigin) {
    self.number = number
    self.address = address
    self.origin = origin
    self.rule = rule
  }
}
