import CastqStore
import Glibc

/// Whether the first-run explanation was seen: a file beside the database. Removing it brings the explanation back.
struct Introduction {
  private let path: String

  init(_ workspace: Workspace) { path = "\(workspace.database.path).introduced" }

  var isSeen: Bool { access(path, F_OK) == 0 }

  /// An explanation that cannot be remembered comes once more.
  func remember() {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }
}
