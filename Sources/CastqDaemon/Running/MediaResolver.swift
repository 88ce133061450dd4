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
    var entry = Entry(serving: serving, origin: draft.origin)
    defer { links.formUnion(entry.links) }
    try entry.resolve(&draft.media)
    return draft
  }

  /// One entry on its way to the device.
  private struct Entry {
    let serving: Serving
    /// Whatever the addresses say, nothing is published for what a list of the network wrote.
    let origin: EntryOrigin
    var links: Set<MediaLink> = []

    mutating func resolve(_ media: inout MediaInformation) throws(Problem) {
      try resolve(&media.contentID, media.contentType)
      try resolve(&media.contentURL, media.contentType)
      for index in media.mediaTracks.indices {
        try resolve(&media.mediaTracks[index].contentIdentifier, media.mediaTracks[index].contentType)
      }
      for index in media.adBreakClips.indices { try resolve(&media.adBreakClips[index]) }
      try resolve(&media.vmapAdsRequest)
      for index in (media.metadata?.images ?? []).indices {
        guard var url = media.metadata?.images[index].url else { continue }
        try resolve(&url, nil)
        media.metadata?.images[index].url = url
      }
    }

    private mutating func resolve(_ clip: inout AdBreakClipInfo) throws(Problem) {
      try resolve(&clip.contentID, clip.contentType)
      try resolve(&clip.contentURL, clip.contentType)
      try resolve(&clip.posterURL, nil)
      try resolve(&clip.vastAdsRequest)
    }

    private mutating func resolve(_ request: inout VASTAdsRequest?) throws(Problem) {
      guard var changed = request else { return }
      try resolve(&changed.adTagURL, "application/xml")
      request = changed
    }

    private mutating func resolve(_ url: inout String?, _ contentType: String?) throws(Problem) {
      guard var text = url else { return }
      try resolve(&text, contentType)
      url = text
    }

    private mutating func resolve(_ url: inout String, _ contentType: String?) throws(Problem) {
      guard FilePath.isURL(url) else { return }
      guard origin.mayName(url) else {
        throw Problem(message: "a playlist from the network may not name local files")
      }
      let path: String
      do throws(TextError) { path = try FilePath.path(url: url) } catch {
        throw Problem(message: error.message)
      }
      let type = contentType ?? MediaContentType.forName(path) ?? "application/octet-stream"
      switch serving {
      case .impossible(let problem): throw Problem(message: problem)
      case .by(let server, let host):
        do throws(MediaServerError) {
          let link = try server.publish(path: path, contentType: type)
          links.insert(link)
          url = server.url(for: link, host: host)
        } catch {
          throw Problem(message: "\(error)")
        }
      }
    }
  }
}
