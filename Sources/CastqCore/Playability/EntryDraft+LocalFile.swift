import CastProtocol

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
    let address = FilePath.url(path)
    if media.contentURL != nil { media.contentURL = address } else { media.contentID = address }
    media.contentType = contentType
  }

  /// Corrects the type where it was concluded from a name that is wrong. A type that a person has chosen stays.
  package mutating func correctType(_ contentType: String, of path: String) {
    guard media.contentType == ContentTypes.standard.fileType(path: path) else { return }
    media.contentType = contentType
  }
}
