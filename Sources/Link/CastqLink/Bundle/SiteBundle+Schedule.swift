import CastqSchedule
package import CastqText

/// What can be known of a schedule without a site.
extension SiteBundle {
  /// The mistakes of a schedule, in the order of the file. Devices, and whatever else it names, are taken to be at the sites; the files
  /// that it names below `media` have to be in the bundle.
  /// - Parameters:
  ///   - file: the file name for messages.
  ///   - media: the names of the files of the bundle.
  package static func mistakes(
    in schedule: [UInt8], file: String, media: Set<String>
  ) -> [PlaylistIssue] {
    let result = SiteReader.read(
      schedule, file: file, known: .elsewhere,
      source: { source in
        guard let name = Self.medium(of: source), !media.contains(name) else { return nil }
        return TextError(
          "`media/\(TerminalText.excerpt(name))` is none of the files of the bundle",
          hint: "name the file behind the schedule")
      })
    switch result {
    case .success: return []
    case .failure(let error): return error.issues
    }
  }

  /// The files below `media` that the schedule names and the bundle does not have, in alphabetical order.
  package var missingMedia: [String] {
    let names = Set(media.map(\.name))
    var missing: Set<String> = []
    // Other mistakes are for castq to name, which knows the rows.
    _ = SiteReader.read(
      Array(schedule.utf8), file: "", known: .elsewhere,
      source: { source in
        if let name = Self.medium(of: source), !names.contains(name) { missing.insert(name) }
        return nil
      })
    return missing.sorted()
  }

  /// The name of a file below `media`; nil for addresses, for paths that lead elsewhere, and for the folder itself.
  private static func medium(of source: String) -> String? {
    guard !source.contains("://"), !FilePath.isURL(source), !source.hasPrefix("/") else { return nil }
    let path = FilePath.absolute(source, in: "/bundle")
    let folder = "/bundle/media/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : nil
  }
}
