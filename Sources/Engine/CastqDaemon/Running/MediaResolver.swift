import CastGuard
import CastProtocol
import CastSender
package import CastqMediaServer
package import CastqPlaylists
import CastqText

/// Replaces addresses of local files by addresses the device can open.
package struct MediaResolver: Sendable {
  /// Why an entry cannot be sent.
  package struct Problem: Error, Sendable {
    package var message: String
  }

  private enum Serving: Sendable {
    /// The host is the address at which the device reaches this machine.
    case by(any MediaPublishing, host: String)
    case impossible(String)
  }

  private enum Source: Sendable {
    case constant(Serving)
    /// Where, and whether, the device is served at the moment.
    case following(LocalMedia)
  }

  private let source: Source
  /// Places that castq may ask for an entry whoever names them.
  private var allowed = LocalPlaces()
  /// The language that the viewers prefer; nil when nothing says so.
  private var preferred: String?
  /// Where it is said what of subtitles viewers do not get.
  private var notes: SubtitleNotes?

  private var serving: Serving {
    switch source {
    case .constant(let serving): serving
    case .following(let media):
      switch media.server {
      case .success((let server, let host)): .by(server, host: host)
      case .failure(let problem): .impossible(problem.message)
      }
    }
  }

  package init(server: any MediaPublishing, host: String) { source = .constant(.by(server, host: host)) }

  init(_ media: LocalMedia) { source = .following(media) }

  /// A resolver that cannot serve local files; entries that need them fail with this message.
  private init(problem: String) { source = .constant(.impossible(problem)) }

  /// The same resolver with these exceptions to what the words of entries may have asked.
  func allowing(_ places: LocalPlaces) -> MediaResolver {
    var copy = self
    copy.allowed = places
    return copy
  }

  /// The same resolver for viewers who prefer these subtitles: a file of an unknown language may be in theirs.
  func preferring(_ subtitles: SubtitleChoice) -> MediaResolver {
    var copy = self
    copy.preferred = subtitles.language
    return copy
  }

  /// The same resolver, which logs what of subtitles viewers do not get.
  package func noting(_ notes: SubtitleNotes) -> MediaResolver {
    var copy = self
    copy.notes = notes
    return copy
  }

  /// The device is connected, at this IP address.
  /// - Returns: whether files were served at another address before.
  func follow(_ device: String) -> Bool {
    if case .following(let media) = source { media.follow(device) } else { false }
  }

  /// Whether local files keep their addresses across restarts of castq.
  package var hasLastingAddresses: Bool {
    guard case .by(let server, _) = serving else { return false }
    return server.hasLastingAddresses
  }

  /// Whether any part of the entry is a local file, which castq must serve.
  package static func serves(_ draft: EntryDraft) -> Bool {
    if draft.media.metadata?.images.contains(where: { FilePath.isURL($0.url) }) == true { return true }
    var none: Set<MediaLink> = []
    do throws(Problem) {
      _ = try MediaResolver(problem: "").resolve(draft, publishing: &none)
      return false
    } catch {
      return true
    }
  }

  /// Withdraws published files.
  package func withdraw(_ links: Set<MediaLink>) {
    guard case .by(let server, _) = serving else { return }
    for link in links { server.withdraw(link) }
  }

  /// The draft with every `file://` address replaced.
  /// - Parameter links: receives the published links, even if an error is thrown.
  package func resolve(_ draft: EntryDraft, publishing links: inout Set<MediaLink>) throws(Problem)
    -> EntryDraft
  {
    var draft = draft
    let rule = FetchGuard(draft.fetchOrigin, allowing: allowed)
    var entry = Entry(serving: serving, origin: draft.origin, rule: rule, preferred: preferred, notes: notes)
    defer { links.formUnion(entry.links) }
    try entry.resolve(&draft.media)
    draft.activeTrackIDs?.removeAll { entry.missingTracks.contains($0) }
    return draft
  }

  /// Publishes a picture that is in a file; nil where none can be served.
  func address(of picture: MediaDocument, publishing links: inout Set<MediaLink>) -> String? {
    guard case .by(let server, let host) = serving else { return nil }
    do throws(MediaServerError) {
      let link = try server.publish(picture, fileName: "picture.jpg", contentType: "image/jpeg")
      links.insert(link)
      return server.url(for: link, host: host)
    } catch {
      return nil
    }
  }

  /// Publishes a film that is converted while it plays; nil where nothing can be served.
  func address(of pieces: MediaPieces, publishing links: inout Set<MediaLink>) -> String? {
    guard case .by(let server, let host) = serving else { return nil }
    do throws(MediaServerError) {
      let link = try server.publish(
        pieces, fileName: "film.m3u8", contentType: LiveConversion.contentType)
      links.insert(link)
      return server.url(for: link, host: host)
    } catch {
      return nil
    }
  }

  /// Resolves one entry.
  private struct Entry {
    let serving: Serving
    /// Where the entry comes from: entries of lists from the network must not publish local files.
    let origin: EntryOrigin
    /// What castq may ask for it.
    let rule: FetchGuard
    /// The language that the viewers prefer.
    let preferred: String?
    let notes: SubtitleNotes?
    var links: Set<MediaLink> = []
    /// Text tracks whose file is gone: the film plays without them.
    var missingTracks: Set<Int> = []

    mutating func resolve(_ media: inout MediaInformation) throws(Problem) {
      try resolve(&media.contentID, media.contentType)
      try resolve(&media.contentURL, media.contentType)
      for index in media.mediaTracks.indices { try resolve(&media.mediaTracks[index]) }
      media.mediaTracks.removeAll { missingTracks.contains($0.identifier) }
      for index in media.adBreakClips.indices { try resolve(&media.adBreakClips[index]) }
      try resolve(&media.vmapAdsRequest)
      try resolve(images: &media.metadata)
    }

    /// A picture that cannot be served is left out: the film plays without it.
    private mutating func resolve(images metadata: inout MediaMetadata?) throws(Problem) {
      guard let images = metadata?.images, images.contains(where: { FilePath.isURL($0.url) }) else { return }
      var served: [Image] = []
      for var image in images {
        guard FilePath.isURL(image.url) else {
          served.append(image)
          continue
        }
        let path = try localPath(image.url)
        let type = MediaContentType.forName(path) ?? "application/octet-stream"
        guard case .by(let server, let host) = serving, let link = published(path, type, server) else {
          continue
        }
        links.insert(link)
        image.url = server.url(for: link, host: host)
        if image.width == nil, let size = PictureSize.ofFile(path) {
          (image.width, image.height) = (size.width, size.height)
        }
        served.append(image)
      }
      metadata?.images = served
    }

    private func published(_ path: String, _ type: String, _ server: any MediaPublishing) -> MediaLink? {
      do throws(MediaServerError) { return try server.publish(path: path, contentType: type) } catch {
        return nil
      }
    }

    /// Text comes from castq as WebVTT, also where it is not on this machine (`SubtitleServing`).
    private mutating func resolve(_ track: inout MediaTrack) throws(Problem) {
      guard SubtitleServing.serves(track), let address = track.contentIdentifier else {
        return try resolve(&track.contentIdentifier, track.contentType)
      }
      let path = FilePath.isURL(address) ? try localPath(address) : nil
      guard case .by(let server, let host) = serving else {
        // The device may still be able to read a track of the web where it is.
        return try resolve(&track.contentIdentifier, track.contentType)
      }
      do throws(MediaServerError) {
        let link: MediaLink
        if let path {
          link = try server.publish(
            path: path, contentType: SubtitleServing.contentType,
            conversion: SubtitleServing.conversion(of: track, path: path, hint: preferred, notes: notes))
        } else {
          link = try server.publish(
            SubtitleServing.document(
              of: track, address: address, hint: preferred, under: rule, notes: notes),
            fileName: SubtitleServing.fileName,
            contentType: SubtitleServing.contentType)
        }
        links.insert(link)
        track.contentIdentifier = server.url(for: link, host: host)
        track.contentType = SubtitleServing.contentType
        track.customData = track.ownCustomData
      } catch {
        switch error {
        case .noSuchFile, .notAFile, .unreadable: missingTracks.insert(track.identifier)
        case .cannotListen, .alreadyStarted, .notAContentType, .weakToken, .full, .noDescriptors:
          throw Problem(message: "\(error)")
        }
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
      let path = try localPath(url)
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

    /// The path of a file that this entry may name.
    private func localPath(_ url: String) throws(Problem) -> String {
      guard origin.mayName(url) else {
        throw Problem(message: "a playlist from the network may not name local files")
      }
      do throws(TextError) { return try FilePath.path(url: url) } catch {
        throw Problem(message: error.message)
      }
    }
  }
}
