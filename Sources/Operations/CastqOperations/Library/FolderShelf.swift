import CastqPaths
import CastqPlaylists
import CastqText
import Glibc
import Synchronization

/// The contents of the folders of the library, as they were read last: a folder is read again when it has changed, so that tens of
/// thousands of files cost a look at each folder.
final class FolderShelf: Sendable {
  private struct Shelf {
    let version: FileVersion
    let items: [MediaFolders.Item]
  }

  private let shelves = Mutex<[String: Shelf]>([:])
  /// Folders that are remembered.
  private static let most = 20_000

  /// What is in a folder and below it, and which folders cannot be read.
  func tree(
    of folder: MediaFolders.Item, in folders: MediaFolders
  ) -> (items: [MediaFolders.Item], problems: [String]) {
    var problems: [String] = []
    do throws(MediaFolders.Problem) {
      let items = try folders.tree(of: folder) { (one) throws(MediaFolders.Problem) in
        do throws(MediaFolders.Problem) { return try self.contents(of: one, in: folders) } catch {
          problems.append(Self.words(error, one))
          return []
        }
      }
      return (items, problems)
    } catch {
      return ([], problems + [Self.words(error, folder)])
    }
  }

  /// What is in a folder.
  func contents(
    of folder: MediaFolders.Item, in folders: MediaFolders
  ) throws(MediaFolders.Problem) -> [MediaFolders.Item] {
    let path = folders.path(of: folder)
    guard !path.isEmpty else { return try folders.contents(of: folder) }
    guard let version = FileVersion(path: path) else {
      throw .unreadable(String(cString: strerror(errno)))
    }
    // What may be read is no part of the version.
    guard access(PathText.system(path), R_OK | X_OK) == 0 else {
      throw .unreadable(String(cString: strerror(errno)))
    }
    let key = "\(folder.name)\n\(path)"
    if let shelf = shelves.withLock({ $0[key] }), shelf.version == version { return shelf.items }
    let items = try folders.contents(of: folder)
    shelves.withLock { shelves in
      if shelves.count >= Self.most { shelves = [:] }
      shelves[key] = Shelf(version: version, items: items)
    }
    return items
  }

  private static func words(_ problem: MediaFolders.Problem, _ folder: MediaFolders.Item) -> String {
    // The path is the owner's business: people know the folder by its name.
    let name = TerminalText.excerpt(folder.name.isEmpty ? FilePath.name(of: folder.path) : folder.name)
    switch problem {
    case .unreadable(let words): return "\(name) cannot be read: \(words)"
    case .full: return "there are more files than are shown"
    case .missing, .outside, .noMedia: return "there is no folder \(name)"
    }
  }
}
