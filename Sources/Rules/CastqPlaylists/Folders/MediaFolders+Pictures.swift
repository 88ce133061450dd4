import CastqText

/// Pictures of local songs: those beside them, as devices get them.
extension MediaFolders {
  /// Bytes of the largest picture that is read.
  private static let largest = 4 << 20

  /// A picture and its kind, such as `image/png`.
  package typealias Picture = (type: String, bytes: [UInt8])

  /// The picture beside a song; nil when there is none.
  package func picture(beside song: Item) -> Picture? {
    let loader = loader()
    guard let names = try? loader.list(FilePath.directory(of: song.path)) else { return nil }
    return path(ofPictureBeside: song, SidecarPictures(names)).flatMap { picture(path: $0, loader) }
  }

  /// Where the picture beside a film or a song is; nil when there is none.
  /// - Parameter pictures: those of its directory.
  package func path(ofPictureBeside song: Item, _ pictures: SidecarPictures) -> String? {
    guard song.kind == .media else { return nil }
    let isMusic = ContentTypes.standard.fileType(path: song.path)?.hasPrefix("audio/") == true
    return pictures.picture(of: song.path, isMusic: isMusic).flatMap { isVisible($0, loader()) ? $0 : nil }
  }

  /// A picture that an entry names by a `file:` address; nil for what is no picture in these folders.
  package func picture(at address: String) -> Picture? {
    guard FilePath.isURL(address), let path = try? FilePath.path(url: address) else { return nil }
    return picture(path: path, loader())
  }

  private func picture(path: String, _ loader: any PlaylistLoader) -> Picture? {
    guard !path.split(separator: "/").contains(".."), isVisible(path, loader),
      let type = ContentTypes.standard.fileType(path: path), type.hasPrefix("image/"),
      let bytes = try? loader.read(path, limit: Self.largest)
    else { return nil }
    return (type, bytes)
  }
}
