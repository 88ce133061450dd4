import CastProtocol

/// Completes entries of native playlists, which state most properties themselves.
extension EntryBuilder {
  /// - Parameter location: nil for an entry that only an application can resolve.
  /// - Returns: nil when it cannot be played; `issues` says why.
  mutating func entry(
    _ entry: NativeEntry, of item: PlaylistItem, at location: MediaLocation?, knownType: String? = nil,
    source: SourceLocation
  ) -> EntryDraft? {
    var draft = entry.draft
    if let location {
      draft.media.contentID = entry.contentID ?? location.url
      draft.media.contentURL = entry.contentID == nil ? nil : location.url
      let type = draft.media.contentType ?? knownType ?? (isPage ? nil : contentType(of: location, item))
      guard isPage || type != nil else { return nil }
      draft.media.contentType = type
    } else {
      draft.media.contentID = entry.contentID ?? ""
    }
    let family = ContentTypes.family(of: draft.media.contentType ?? "")
    let isStill = draft.media.standsStill
    let isLive = isUnending(item.attributes, location, contentType: draft.media.contentType ?? "")
    draft.media.streamType = entry.stream ?? (isStill ? .none : isLive ? .live : .buffered)
    if let length = entry.length, length.seconds > 0 {
      // A picture or a page has no length of its own: the given length is its display time (protocol 21.7).
      if isStill {
        draft.playbackDuration = draft.playbackDuration ?? length
      } else {
        draft.media.streamDuration = length
      }
    }
    if entry.hasMetadata || !entry.metadataValues.isEmpty || !entry.images.isEmpty {
      let kind: MediaMetadata.Kind =
        family == "image" ? .photo : family == "audio" ? .musicTrack : .generic
      draft.media.metadata = MediaMetadata(
        kind: entry.metadataKind ?? kind, images: entry.images, values: entry.metadataValues)
    }
    addSidecars(&draft, of: location)
    if let choice = entry.subtitles, draft.activeTrackIDs == nil { draft.chooseSubtitles(choice) }
    draft.source = source
    return draft
  }
}
