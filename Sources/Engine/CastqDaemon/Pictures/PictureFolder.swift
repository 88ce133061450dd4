import CastProtocol
import CastqFiles
import FoundationEssentials
import Glibc

/// A folder of pictures with a budget. Nothing in it is needed: what is gone is made again.
package struct PictureFolder: Sendable {
  private let path: String
  /// Bytes of all pictures; those that were used longest ago go first.
  private static let budget = 128 << 20

  /// - Parameter path: made when the first picture is kept.
  package init(path: String) { self.path = path }

  /// A picture, which counts as used now.
  func picture(named name: String) -> [UInt8]? {
    let file = "\(path)/\(name).jpg"
    guard let descriptor = try? OwnFile.open(file, for: .reading) else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= PictureMaker.bytes {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    guard (1...PictureMaker.bytes).contains(bytes.count) else { return nil }
    futimens(descriptor, nil)
    return bytes
  }

  /// Keeps a picture as far as the disk lets it, and makes room.
  func keep(_ bytes: [UInt8], named name: String) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      return
    }
    // Whole or not at all, also when two processes make the same picture.
    do throws(OwnFileError) { try OwnFile.replace("\(path)/\(name).jpg", with: bytes) } catch { return }
    makeRoom()
  }

  private func makeRoom() {
    var files: [(path: String, size: Int, used: Int)] = []
    for name in (FolderEntry.all(in: path) ?? []).map(\.name) {
      var status = stat()
      let file = "\(path)/\(name)"
      guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      files.append((file, Int(status.st_size), Int(status.st_mtim.tv_sec)))
    }
    var total = files.reduce(0) { $0.adding(bounded: $1.size) }
    for file in files.sorted(by: { ($0.used, $0.path) < ($1.used, $1.path) }) where total > Self.budget {
      if unlink(file.path) == 0 { total -= file.size }
    }
  }
}
