import CastqText

/// Writes a playlist as PLS.
enum PLSWriter {
  static func text(_ playlist: Playlist) -> String {
    var lines = ["[playlist]"]
    var count = 0
    for entry in playlist.drafts.compactMap(PlainEntry.init) {
      count += 1
      lines.append("File\(count)=\(FilePath.line(entry.location))")
      if let title = entry.title { lines.append("Title\(count)=\(title)") }
      if let length = entry.length {
        lines.append("Length\(count)=\(DecimalText.text(length))")
      } else if entry.isLive {
        lines.append("Length\(count)=-1")
      }
    }
    lines += ["NumberOfEntries=\(count)", "Version=2"]
    return lines.joined(separator: "\n") + "\n"
  }
}
