import CastqPlaylists
import CastqText

extension MPDFailure {
  /// Looks into the media folders; what is wrong is told as clients know it.
  static func heard<Value>(
    _ look: () throws(MediaFolders.Problem) -> Value
  ) throws(MPDFailure) -> Value {
    do throws(MediaFolders.Problem) { return try look() } catch {
      switch error {
      case .missing: throw MPDFailure(.missing, "No such directory")
      case .outside:
        throw MPDFailure(.permission, "Access denied: the file is in none of the media folders")
      case .noMedia(let name): throw MPDFailure(.argument, "\(TerminalText.excerpt(name)) is no media file")
      case .unreadable(let words): throw MPDFailure(.system, words)
      case .full: throw MPDFailure(.listFull, "too many files")
      }
    }
  }
}
