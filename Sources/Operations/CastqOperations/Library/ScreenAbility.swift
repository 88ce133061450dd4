package import CastqFeeding
package import CastqPlaylists

/// What one screen does with a file.
package enum ScreenAbility: Sendable, Hashable {
  case plays
  /// A speaker plays the sound of a film.
  case soundAlone
  /// castq converts it first.
  case converts
  /// castq has converted it already.
  case ready
  case refuses

  /// - Parameters:
  ///   - probe: what the file is made of; nil where nothing has read it.
  ///   - allowed: how far castq converts.
  ///   - isReady: whether a recipe has been carried out already.
  /// - Returns: nil where nothing is known.
  package init?(
    _ rules: PlayRules, _ probe: MediaProbe?, type: String, allowed: PreparationRules.Allowance,
    isReady: (PreparationRecipe) -> Bool = { _ in false }
  ) {
    if type.hasPrefix("image/") {
      self = rules.abilities.hasScreen ? .plays : .refuses
      return
    }
    let decision = probe.map { rules.decision($0, declaredType: type) }
    guard let way = decision?.way ?? rules.decision(byType: type)?.way else { return nil }
    switch way {
    case .direct: self = .plays
    case .impossible: self = .refuses
    case .remux, .audio, .video:
      let isAllowed = allowed.permits(way)
      let isFilm = probe?.streams.contains { $0.kind == .video } ?? type.hasPrefix("video/")
      let made: ScreenAbility = decision?.recipe.map(isReady) == true ? .ready : .converts
      self = !isAllowed ? .refuses : isFilm && !rules.abilities.hasScreen ? .soundAlone : made
    }
  }
}

/// Where a file plays, in words, what is wrong first: `plays everywhere`, `Speaker: no picture · made ready for Bar`.
package struct PlaysWhere: Sendable, Hashable {
  /// The screens by their names, in their order, with what each does.
  package let screens: [(name: String, ability: ScreenAbility)]
  /// Names in one sentence; the others are counted.
  private static let most = 3

  package init(_ screens: [(name: String, ability: ScreenAbility)]) { self.screens = screens }

  package static func == (left: PlaysWhere, right: PlaysWhere) -> Bool { left.words == right.words }

  package func hash(into hasher: inout Hasher) { hasher.combine(words) }

  /// Nil without a screen.
  package var words: String? {
    guard !screens.isEmpty else { return nil }
    let parts = [
      part(of: .converts, alone: "must be converted first") { "must be converted for \($0)" },
      part(of: .soundAlone, alone: "no picture: there are only speakers") { "\($0): no picture" },
      part(of: .refuses, alone: "plays nowhere") { "not on \($0)" },
      part(of: .ready, alone: "made ready") { "made ready for \($0)" },
    ].compactMap(\.self)
    return parts.isEmpty ? "plays everywhere" : parts.joined(separator: " · ")
  }

  /// - Parameter alone: the words where every screen does so.
  private func part(of ability: ScreenAbility, alone: String, _ words: (String) -> String) -> String? {
    let names = screens.filter { $0.ability == ability }.map(\.name)
    guard !names.isEmpty else { return nil }
    guard names.count < screens.count else { return alone }
    let more = names.count - Self.most
    return words(names.prefix(Self.most).joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
  }
}
