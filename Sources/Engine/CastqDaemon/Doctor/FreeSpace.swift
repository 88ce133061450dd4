import CastqText
import Glibc

/// The space of disks.
package enum FreeSpace {
  /// A file system: its number, and the bytes that this user can still write.
  private struct Place {
    let device: UInt64
    let bytes: UInt64
  }

  /// Bytes that this user can still write where the file is, and where the folder is, or would be made; the second one is nil on the
  /// same file system. Both are nil where the system does not say.
  package static func beside(file: String, and folder: String) -> (file: UInt64?, folder: UInt64?) {
    let first = place(FilePath.directory(of: file))
    let second = place(folder)
    return (first?.bytes, second?.device == first?.device ? nil : second?.bytes)
  }

  /// The file system of a folder, or of the nearest folder above that exists.
  private static func place(_ folder: String) -> Place? {
    var path = folder.isEmpty ? "." : folder
    while true {
      var information = stat()
      var space = statvfs()
      if stat(path, &information) == 0, statvfs(path, &space) == 0 {
        let (bytes, isTooLarge) = UInt64(space.f_bavail).multipliedReportingOverflow(
          by: UInt64(space.f_frsize))
        return Place(device: UInt64(information.st_dev), bytes: isTooLarge ? .max : bytes)
      }
      guard path != "/", path != "." else { return nil }
      let parent = FilePath.directory(of: path)
      path = parent == path || parent.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : parent
    }
  }
}
