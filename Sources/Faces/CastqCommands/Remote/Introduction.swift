import CastqFiles
import CastqOperations
import CastqStore
import Glibc

/// Whether the first-run explanation was seen: a file beside the database. Removing it brings the explanation back.
struct Introduction {
  private let path: String

  init(_ workspace: Workspace) { path = "\(workspace.database.path).introduced" }

  var isSeen: Bool { access(path, F_OK) == 0 }

  /// An explanation that cannot be remembered comes once more.
  func remember() {
    if let descriptor = try? OwnFile.open(path, for: .keeping) { close(descriptor) }
  }
}
