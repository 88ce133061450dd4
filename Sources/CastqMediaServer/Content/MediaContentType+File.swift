extension MediaContentType {
  /// The type of a local file, by its name or else by its first bytes; nil when it is unknown.
  ///
  /// Reads the disk and so may block; symbolic links are followed. Throws when there is no readable regular file.
  package static func forFile(atPath path: String) throws(MediaServerError) -> String? {
    if let known = forName(path) { return known }
    let canonical = try MediaShelf.canonicalPath(of: path)
    do {
      let file = try MediaFile.open(canonicalPath: canonical)
      defer { file.close() }
      return sniff(try file.prefix(sniffLength))
    } catch {
      throw MediaServerError(error, path: path)
    }
  }
}
