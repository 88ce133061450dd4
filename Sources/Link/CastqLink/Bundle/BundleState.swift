package import CastProtocol
package import CastqText

/// What became of the bundles of a site, as a file beside its database keeps it.
package struct BundleState: Sendable, Hashable {
  /// A bundle that was applied.
  package struct Applied: Sendable, Hashable {
    package let revision: Int64
    /// When it was made, which tells bundles of one revision apart; nil is unknown, in the file of an older program.
    package let createdAt: WallTime?
    package let at: WallTime

    fileprivate init(revision: Int64, createdAt: WallTime?, at: WallTime) {
      self.revision = revision
      self.createdAt = createdAt
      self.at = at
    }

    /// Whether it is this bundle.
    fileprivate func isOf(_ bundle: SiteBundle) -> Bool {
      revision == bundle.revision && (createdAt ?? bundle.createdAt) == bundle.createdAt
    }

    /// Whether a bundle comes behind it: by its revision, and by the time of its making within one.
    fileprivate func isBefore(_ bundle: SiteBundle) -> Bool {
      guard revision == bundle.revision else { return revision < bundle.revision }
      return createdAt.map { $0 < bundle.createdAt } ?? false
    }
  }

  /// A bundle that was not applied.
  package struct Refused: Sendable, Hashable {
    /// Nil for what could not be read.
    package let revision: Int64?
    package let at: WallTime
    package let code: String
    package let why: String
  }

  /// What is applied; nil is nothing.
  package private(set) var applied: Applied?
  /// What was applied before it, to which a rollback leads; nil is nothing.
  package private(set) var previous: Applied?
  /// The newest that was ever applied: who went back from it stays there until a newer one comes. Nil is nothing.
  package private(set) var newest: Applied?
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
      if applied.isOf(bundle) { return .isApplied }
      if !isRollback, let refusal = refusal(of: bundle, behind: applied) { return .refuse(refusal) }
    }
    if let time = bundle.appliesAt, time > now, !isRollback { return .wait(until: time) }
    return .apply
  }

  /// Why a bundle does not follow what is applied by itself; nil when it is newer than all that was.
  private func refusal(of bundle: SiteBundle, behind applied: Applied) -> SiteBundle.Refusal? {
    if applied.revision == bundle.revision, !applied.isBefore(bundle) {
      return SiteBundle.Refusal(
        "older",
        "a bundle of revision \(bundle.revision) that was made later is applied; --rollback goes back")
    }
    guard applied.isBefore(bundle) else {
      return SiteBundle.Refusal(
        "older",
        "revision \(applied.revision) is applied, and it has \(bundle.revision); --rollback goes back")
    }
    guard let newest, !newest.isBefore(bundle) else { return nil }
    return SiteBundle.Refusal(
      "withdrawn",
      "somebody went back from revision \(newest.revision) to \(applied.revision), which stays until a bundle comes that is newer "
        + "than both; 'castq-link bundle apply --rollback' applies it in spite of that")
  }

  /// Notes that a bundle was applied.
  package mutating func apply(_ bundle: SiteBundle, at now: WallTime) {
    if let applied, !applied.isOf(bundle) { previous = applied }
    let applied = Applied(revision: bundle.revision, createdAt: bundle.createdAt, at: now)
    self.applied = applied
    if newest?.isBefore(bundle) ?? true { newest = applied }
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
      applied.map {
        [
          "revision": .integer($0.revision), "at": .string(RFC3339.text($0.at)),
          "created_at": $0.createdAt.map { .string(RFC3339.text($0)) } ?? .null,
        ]
      } ?? .null
    }
    return [
      "site": .string(site), "applied": document(applied), "previous": document(previous),
      "newest": document(newest),
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
      let created = value?["created_at"]?.string.flatMap { try? RFC3339.parse($0) }
      return Applied(revision: Int64(revision), createdAt: created, at: at)
    }
    self.applied = applied(json["applied"])
    previous = applied(json["previous"])
    // An older program wrote none.
    newest =
      applied(json["newest"])
      ?? [self.applied, previous].compactMap(\.self).max { $0.revision < $1.revision }
    if let refused = json["refused"], let at = time(refused) {
      self.refused = Refused(
        revision: refused["revision"]?.int.map { Int64($0) }, at: at, code: refused["code"]?.string ?? "",
        why: refused["why"]?.string ?? "")
    }
  }
}
