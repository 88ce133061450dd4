package import CastSender
package import CastqCore
package import CastqMediaServer

/// Turns addresses of local files into addresses the device can open, and says why when it cannot.
package struct MediaResolver: Sendable {
  /// Why an entry cannot be sent.
  package struct Problem: Error, Sendable {
    package var message: String
  }

  let server: MediaServer
  /// The address of the interface that reaches the device, as it stands in a URL.
  let host: String
  /// Makes the unguessable part of an address from the file's path; the same after a restart.
  let token: @Sendable (String) -> String

  package init(server: MediaServer, host: String, token: @escaping @Sendable (String) -> String) {
    self.server = server
    self.host = host
    self.token = token
  }

  /// The draft with every `file://` address replaced.
  package func resolve(_ draft: EntryDraft) throws(Problem) -> EntryDraft {
    var draft = draft
    try resolve(&draft.media.contentID, draft.media.contentType)
    try resolve(&draft.media.contentURL, draft.media.contentType)
    for index in draft.media.mediaTracks.indices {
      let type = draft.media.mediaTracks[index].contentType
      try resolve(&draft.media.mediaTracks[index].contentIdentifier, type)
    }
    for index in draft.media.adBreakClips.indices {
      let type = draft.media.adBreakClips[index].contentType
      try resolve(&draft.media.adBreakClips[index].contentID, type)
      try resolve(&draft.media.adBreakClips[index].contentURL, type)
    }
    for index in (draft.media.metadata?.images ?? []).indices {
      guard var url = draft.media.metadata?.images[index].url else { continue }
      try resolve(&url, nil)
      draft.media.metadata?.images[index].url = url
    }
    return draft
  }

  private func resolve(_ url: inout String?, _ contentType: String?) throws(Problem) {
    guard var text = url else { return }
    try resolve(&text, contentType)
    url = text
  }

  private func resolve(_ url: inout String, _ contentType: String?) throws(Problem) {
    guard let path = FileURL.path(of: url) else { return }
    let type = contentType ?? MediaContentType.forName(path) ?? "application/octet-stream"
    do throws(MediaServerError) {
      let link = try server.publish(path: path, contentType: type, token: token(path))
      url = server.url(for: link, host: host)
    } catch {
      throw Problem(message: "\(error)")
    }
  }
}
