package import CastGuard
import CastProtocol
package import CastqText

/// An address that a list needs on the web, with everything that needs it.
package struct WebNeed: Sendable, Hashable {
  /// What an entry uses the address for.
  package enum Use: Sendable, Hashable {
    /// Media of this type, or of one that the list does not know.
    case media(type: String?)
    case track
    case image
  }

  package struct Place: Sendable, Hashable {
    package var use: Use
    package var source: SourceLocation
  }

  package let address: String
  /// Whose words name it: the same address is asked for each of them by its own rule.
  package let origin: FetchOrigin
  package private(set) var places: [Place]

  /// The needs of entries, in their order, each address once.
  /// - Parameter resolvers: what these are for is a page, which is no media yet.
  package static func all(of drafts: [EntryDraft], besides resolvers: ResolverRules = ResolverRules())
    -> [WebNeed]
  {
    var needs: [WebNeed] = []
    struct Key: Hashable {
      let address: String
      let origin: FetchOrigin
    }
    var known: [Key: Int] = [:]
    func add(_ address: String?, _ use: Use, _ draft: EntryDraft) {
      guard let address, ["http", "https"].contains(WebAddress.scheme(of: address)?.scheme) else { return }
      let place = Place(use: use, source: draft.source ?? SourceLocation(file: address))
      let key = Key(address: address, origin: draft.fetchOrigin)
      if let index = known[key] {
        if !needs[index].places.contains(place) { needs[index].places.append(place) }
      } else {
        known[key] = needs.count
        needs.append(WebNeed(address: address, origin: key.origin, places: [place]))
      }
    }
    for draft in drafts {
      let media = draft.media
      if resolvers.rule(for: media.url) == nil { add(media.url, .media(type: media.contentType), draft) }
      for track in media.mediaTracks where track.kind == .text { add(track.contentIdentifier, .track, draft) }
      for image in media.metadata?.images ?? [] { add(image.url, .image, draft) }
      for clip in media.adBreakClips { add(clip.url, .media(type: clip.contentType), draft) }
    }
    return needs
  }

  /// The server of an address, by which requests are kept apart: `host:port`, in small letters.
  package static func server(of address: String) -> String {
    guard let parts = try? WebAddress(address) else { return address }
    return parts.authority.split(separator: "@").last?.lowercased() ?? ""
  }

  /// What is wrong with it.
  /// - Parameter answer: what the server answers, or why there is no answer.
  package func issues(_ answer: Result<WebAnswer, PlaylistLoadError>) -> [PlaylistIssue] {
    let name = TerminalText.excerpt(AddressText.withoutSecrets(address), limit: 200)
    return places.compactMap { place in
      let found: (PlaylistIssue.Severity, String, String?)?
      switch answer {
      case .failure(.refused(let reason)):
        found = (.warning, "\(name) is not asked: \(reason)", nil)
      case .failure(let error):
        found = (place.use == .image ? .warning : .error, "\(name) cannot be fetched: \(error.message)", nil)
      case .success(let answer): found = Self.problem(answer, place.use, name)
      }
      return found.map { severity, message, hint in
        PlaylistIssue(
          severity, .content, file: place.source.file, line: place.source.line ?? 1, message: message,
          hint: hint.map { FaceWords($0) })
      }
    }
  }

  private static func problem(_ answer: WebAnswer, _ use: Use, _ name: String)
    -> (PlaylistIssue.Severity, String, String?)?
  {
    var sent = answer.contentType ?? (answer.kind == .page ? "a web page" : "")
    if case .otherList(let name) = answer.kind { sent = "a list (\(name))" }
    switch use {
    case .media(let type):
      if !answer.isShared, type.map({ ContentTypes.isInPieces($0.lowercased()) }) ?? false {
        return (
          .error,
          "\(name) may not be read by receivers: HLS and DASH need the header Access-Control-Allow-Origin",
          "have its server send it"
        )
      }
      let family = ContentTypes.family(of: type ?? "")
      if family == "text" { return nil }
      // Servers know little of manifests; players go by what the list calls them.
      if answer.isForeign, family != "application" {
        return (.error, "\(name) is \(sent), which is not media", "check the address")
      }
      if case .list = answer.kind, let type, family != "application", family != "text" {
        return (.warning, "\(name) is a playlist, and would be played as \(type)", "name it as a source")
      }
      guard case .media(let found) = answer.kind, let type, family != "application",
        ContentTypes.family(of: found) != family
      else { return nil }
      return (.warning, "\(name) is \(found), and would be played as \(type)", "give its type")
    case .track:
      guard answer.contentType == ContentTypes.page else { return nil }
      return (.error, "\(name) is a web page, not subtitles", "check the address")
    case .image:
      if case .media(let found) = answer.kind, ContentTypes.family(of: found) == "image" { return nil }
      return answer.kind == .unknown && !answer.isForeign
        ? nil : (.warning, "\(name) is \(sent), not a picture", "check the address")
    }
  }
}
