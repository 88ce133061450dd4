import CastProtocol
import CastqPaths
package import CastqPlaylists
package import CastqText
import Glibc

/// Local media that cannot be played whatever is in them: files that this user may not read, and empty ones.
package enum FileCheck {
  package static func issues(of drafts: [EntryDraft]) -> [PlaylistIssue] {
    drafts.compactMap { draft in
      guard draft.origin.mayName(draft.media.url), let path = draft.media.localPath,
        let (severity, words) = problem(path)
      else { return nil }
      let place = draft.source ?? SourceLocation(file: path)
      let name = TerminalText.excerpt(FilePath.name(of: path), limit: 200)
      return PlaylistIssue(severity, file: place.file, line: place.line ?? 1, message: "\(name): \(words)")
    }
  }

  private static func problem(_ path: String) -> (PlaylistIssue.Severity, String)? {
    let name = PathText.system(path)
    guard access(name, R_OK) == 0 else {
      return (.error, "it cannot be read: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard stat(name, &status) == 0, status.st_size == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return (.warning, "the file is empty")
  }
}
