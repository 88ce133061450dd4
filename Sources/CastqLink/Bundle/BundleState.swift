package import CastProtocol
package import CastqCore

/// What became of the bundles of a site, as a file beside its database keeps it.
package struct BundleState: Sendable, Hashable {
  /// A bundle that was applied.
  package struct Applied: Sendable, Hashable {
    package let revision: Int64
    package let at: WallTime

    package init(revision: Int64, at: WallTime) {
      self.revision = revision
      self.at = at
    }
  }

  /// A bundle that was not applied.
  package struct Refused: Sendable, Hashable {
    /// Nil for what could not be read.
    package let revision: Int64?
    package let at: WallTime
    package let code: String
    package let why: String

    package init(revision: Int64?, at: WallTime, code: String, why: String) {
      self.revision = revision
      self.at = at
      self.code = code
      self.why = why
    }
  }

  /// What is applied; nil is nothing.
  package private(set) var applied: Applied?
  /// What was applied before it, to which a rollback leads; nil is nothing.
  package private(set) var previous: Applied?
  /// The last refusal since something was applied.
  package private(set) var refused: Refused?

  package init() {}

  /// What is done with a bundle.
  package enum Verdict: Sendable, Hashable {
    case apply
    /// Its time has not come.
    case wait(until: WallTime)
    /// It is the one that is applied.
    case isApplied
    case refuse(SiteBundle.Refusal)
  }

  /// Decides about a bundle whose signature is true.
  /// - Parameter isRollback: whether a person asked for an older one.
  package func verdict(
    on bundle: SiteBundle, site: String, isRollback: Bool, at now: WallTime
  ) -> Verdict {
    guard bundle.sites.isEmpty || bundle.sites.contains(site) else {
      return .refuse(SiteBundle.Refusal("another_site", "it is for other sites than \(site)"))
    }
    if let applied {
      if applied.revision == bundle.revision { return .isApplied }
      guard bundle.revision > applied.revision || isRollback else {
        return .refuse(
          SiteBundle.Refusal(
            "older",
            "revision \(applied.revision) is applied, and it has \(bundle.revision); --rollback goes back"))
      }
    }
    if let time = bundle.appliesAt, time > now, !isRollback { return .wait(until: time) }
    return .apply
  }

  /// Notes that a bundle was applied.
  package mutating func apply(_ revision: Int64, at now: WallTime) {
    if let applied, applied.revision != revision { previous = applied }
    applied = Applied(revision: revision, at: now)
    refused = nil
  }

  /// Notes that a bundle was refused.
  package mutating func refuse(_ refusal: SiteBundle.Refusal, revision: Int64?, at now: WallTime) {
    refused = Refused(revision: revision, at: now, code: refusal.code, why: refusal.message)
  }

  // MARK: - The document

  /// What `castq-link bundle status --json` prints.
  package func json(site: String) -> JSONValue {
    func document(_ applied: Applied?) -> JSONValue {
      applied.map { ["revision": .integer($0.revision), "at": .string(RFC3339.text($0.at))] } ?? .null
    }
    return [
      "site": .string(site), "applied": document(applied), "previous": document(previous),
      "refused": refused.map {
        [
          "revision": $0.revision.map { .integer($0) } ?? .null, "at": .string(RFC3339.text($0.at)),
          "code": .string($0.code), "why": .string($0.why),
        ]
      } ?? .null,
    ]
  }

  /// Reads the document; what it does not say stays unknown.
  package init(json: JSONValue) {
    func time(_ value: JSONValue?) -> WallTime? { value?["at"]?.string.flatMap { try? RFC3339.parse($0) } }
    func applied(_ value: JSONValue?) -> Applied? {
      guard let revision = value?["revision"]?.int, let at = time(value) else { return nil }
      return Applied(revision: Int64(revision), at: at)
    }
    self.applied = applied(json["applied"])
    previous = applied(json["previous"])
    if let refused = json["refused"], let at = time(refused) {
      self.refused = Refused(
        revision: refused["revision"]?.int.map { Int64($0) }, at: at, code: refused["code"]?.string ?? "",
        why: refused["why"]?.string ?? "")
    }
  }
}
