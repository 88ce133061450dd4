import CastqPaths
import Glibc

/// What a folder holds under one name.
package struct FolderEntry {
  package let name: String
  /// Whether the system says at once that it is a folder; a link to one is none.
  package let isFolder: Bool

  /// The entries of a folder in the order of the system, without the folder itself and the one above it.
  ///
  /// - Parameters:
  ///   - folder: a path as text; `.` is the current folder.
  ///   - limit: after so many the rest is not read.
  /// - Returns: nil where the folder cannot be opened; `errno` says why.
  package static func all(in folder: String, limit: Int = .max) -> [FolderEntry]? {
    guard let stream = opendir(PathText.system(folder)) else { return nil }
    defer { closedir(stream) }
    var entries: [FolderEntry] = []
    while entries.count < limit, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { PathText.text($0) }
      }
      guard name != ".", name != ".." else { continue }
      entries.append(FolderEntry(name: name, isFolder: entry.pointee.d_type == UInt8(DT_DIR)))
    }
    return entries
  }
}
