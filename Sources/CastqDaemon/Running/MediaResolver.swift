import CastProtocol
import CastSender
package import CastqCore
package import CastqMediaServer

/// Turns addresses of local files into addresses the device can open, and says why when it cannot.
package struct MediaResolver: Sendable {
  /// Why an entry cannot be sent.
  package struct Problem: Error, Sendable {
    package var message: String
  }

  private enum Serving: Sendable {
    /// The address of the interface that reaches the device, as it stands in a URL.
    case by(any MediaPublishing, host: String)
    case impossible(String)
  }

  private let serving: Serving

  package init(server: any MediaPublishing, host: String) { serving = .by(server, host: host) }

  /// Local files cannot be served at all; entries that need it fail with these words.
  package init(problem: String) { serving = .impossible(problem) }

  /// Whether local files have the addresses now that they had before castq was started.
  package var hasLastingAddresses: Bool {
    guard case .by(let server, _) = serving else { return false }
    return server.hasLastingAddresses
  }

  /// Whether a device needs castq itself to play any part of it.
  package static func serves(_ draft: EntryDraft) -> Bool {
    var none: Set<MediaLink> = []
    do throws(Problem) {
      _ = try MediaResolver(problem: "").resolve(draft, publishing: &none)
      return false
    } catch {
      return true
    }
  }

  /// Makes files unreachable that nobody needs any more.
  package func withdraw(_ links: Set<MediaLink>) {
    guard case .by(let server, _) = serving else { return }
    for link in links { server.withdraw(link) }
  }

  /// The draft with every `file://` address replaced.
  /// - Parameter links: gets what was published for it, also when it cannot be sent in the end.
  package func resolve(_ draft: EntryDraft, publishing links: inout Set<MediaLink>) throws(Problem)
    -> EntryDraft
  {
    var draft = draft
    try resolve(&draft.media.contentID, draft.media.contentType, &links)
    try resolve(&draft.media.contentURL, draft.media.contentType, &links)
    for index in draft.media.mediaTracks.indices {
      let type = draft.media.mediaTracks[index].contentType
      try resolve(&draft.media.mediaTracks[index].contentIdentifier, type, &links)
    }
    for index in draft.media.adBreakClips.indices {
      let type = draft.media.adBreakClips[index].contentType
      try resolve(&draft.media.adBreakClips[index].contentID, type, &links)
      try resolve(&draft.media.adBreakClips[index].contentURL, type, &links)
      try resolve(&draft.media.adBreakClips[index].posterURL, nil, &links)
      try resolve(&draft.media.adBreakClips[index].vastAdsRequest, &links)
    }
    try resolve(&draft.media.vmapAdsRequest, &links)
    for index in (draft.media.metadata?.images ?? []).indices {
      guard var url = draft.media.metadata?.images[index].url else { continue }
      try resolve(&url, nil, &links)
      draft.media.metadata?.images[index].url = url
    }
    return draft
  }

  private func resolve(_ request: inout VASTAdsRequest?, _ links: inout Set<MediaLink>) throws(Problem) {
    guard var changed = request else { return }
    try resolve(&changed.adTagURL, "application/xml", &links)
    request = changed
  }

  private func resolve(
    _ url: inout String?, _ contentType: String?, _ links: inout Set<MediaLink>
  ) throws(Problem) {
    guard var text = url else { return }
    try resolve(&text, contentType, &links)
    url = text
  }

  private func resolve(
    _ url: inout String, _ contentType: String?, _ links: inout Set<MediaLink>
  ) throws(Problem) {
    guard url.lowercased().hasPrefix("file:") else { return }
    let path: String
    do throws(TextError) { path = try FilePath.path(url: url) } catch {
      throw Problem(message: error.message)
    }
    let type = contentType ?? MediaContentType.forName(path) ?? "application/octet-stream"
    guard case .by(let server, let host) = serving else {
      if case .impossible(let problem) = serving { throw Problem(message: problem) }
      return
    }
    do throws(MediaServerError) {
      let link = try server.publish(path: path, contentType: type)
      links.insert(link)
      url = server.url(for: link, host: host)
    } catch {
      throw Problem(message: "\(error)")
    }
  }
}
