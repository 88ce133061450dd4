import CastProtocol

/// Writes a playlist in any format, and names what the format does not hold.
package struct PlaylistWriter: Sendable {
  /// The playlist; ends in a line feed.
  package let text: String
  private let playlist: Playlist
  private let format: PlaylistFormat

  package init(_ playlist: Playlist, as format: PlaylistFormat) {
    let playlist = playlist.gatheringForeign
    text = Self.text(playlist, as: format)
    self.playlist = playlist
    self.format = format
  }

  /// What the format does not hold, a line each; empty for castq's own. Computed each time, which costs more than the text.
  package var losses: [String] { format.isNative ? [] : ExportLosses.lines(of: playlist, as: format) }

  static func text(_ playlist: Playlist, as format: PlaylistFormat) -> String {
    switch format {
    case .json, .yaml: NativeWriter(playlist).text(format)
    case .m3u, .m3u8: M3UWriter(playlist).text
    case .pls: PLSWriter.text(playlist)
    case .xspf: XSPFWriter.text(playlist)
    case .jspf: JSPFWriter.text(playlist)
    }
  }
}
