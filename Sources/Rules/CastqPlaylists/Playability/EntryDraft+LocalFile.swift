import CastProtocol
import CastqText

extension EntryDraft {
  /// The path of the film or sound that it plays from this computer; nil for what is on the web, for pictures, manifests and pages,
  /// and for files that its list may not name.
  package var localFile: String? {
    let address = media.url
    guard FilePath.isURL(address), origin.mayName(address), !media.standsStill,
      media.contentType.map(PlayRules.isFilm) ?? true
    else { return nil }
    do throws(TextError) { return try FilePath.path(url: address) } catch { return nil }
  }

  /// Plays another file of this computer in place of its own.
  package mutating func play(file path: String, contentType: String) {
    play(FilePath.url(path), contentType)
  }

  /// Plays what a conversion makes of its file.
  /// - Parameter address: that of the manifest.
  package mutating func play(_ conversion: LiveConversion, at address: String) {
    play(address, LiveConversion.contentType)
    media.hlsSegmentFormat = conversion.way == .audio ? .tsAAC : .ts
    media.hlsVideoSegmentFormat = conversion.way == .audio ? nil : .mpeg2TS
  }

  /// The entry is still called as its own file is, where it has no title.
  private mutating func play(_ address: String, _ contentType: String) {
    if media.metadata?.title == nil {
      var metadata = media.metadata ?? MediaMetadata(kind: .generic, values: [:])
      metadata.values["title"] = .string(media.label)
      media.metadata = metadata
    }
    if media.contentURL != nil { media.contentURL = address } else { media.contentID = address }
    media.contentType = contentType
  }

  /// Corrects the type where it was concluded from a name that is wrong. A type that a person has chosen stays.
  package mutating func correctType(_ contentType: String, of path: String) {
    guard media.contentType == ContentTypes.standard.fileType(path: path) else { return }
    media.contentType = contentType
  }
}
