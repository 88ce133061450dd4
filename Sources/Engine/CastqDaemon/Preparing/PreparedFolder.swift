import CastProtocol
import CastTLS
package import CastqPlaylists
import Glibc

/// Converted files on disk, each named by what it was made of and how, within a number of bytes.
///
/// Several processes may use one folder. A file appears by a rename, and never changes afterwards.
package struct PreparedFolder: Sendable, Hashable {
  /// The end of the name of a file that is being made.
  static let draftEnding = ".partial"

  /// An absolute path. It is made when something is prepared.
  package let path: String
  /// Bytes of all files together.
  package let budget: Int

  package init(path: String, budget: Int) {
    self.path = path
    self.budget = budget
  }

  /// The name for what a recipe makes of one version of a file; nil if it cannot be hashed.
  package static func name(of file: ProbedFile, _ recipe: PreparationRecipe) -> String? {
    let text = "\(file.path)\u{0}\(file.size)\u{0}\(file.modified)\u{0}\(recipe.fingerprint)"
    do { return "\(try SHA256.text(of: Array(text.utf8)).prefix(40)).\(recipe.container.rawValue)" } catch {
      return nil
    }
  }

  /// The path under a name.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Whether there is a finished file.
  package func holds(_ name: String) -> Bool {
    var status = stat()
    return lstat(path(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  /// The path of a finished file, which counts as used now; nil when there is none.
  package func find(_ name: String) -> String? {
    let file = path(of: name)
    guard holds(name) else { return nil }
    // The time of the last change stays: it tells versions of a file apart that a device is reading.
    let moments = [timespec(tv_sec: 0, tv_nsec: Self.now), timespec(tv_sec: 0, tv_nsec: Self.unchanged)]
    utimensat(AT_FDCWD, file, moments, AT_SYMLINK_NOFOLLOW)
    return file
  }

  /// `UTIME_NOW` and `UTIME_OMIT`, which Glibc's module lacks.
  private static let now = (1 << 30) - 1
  private static let unchanged = (1 << 30) - 2

  /// Makes the folder.
  /// - Throws: the system's words.
  func make() throws(PreparationError) {
    var made = ""
    for step in path.split(separator: "/") {
      made += "/\(step)"
      if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EROFS, errno != EACCES {
        throw .folder(path: path, words: String(cString: strerror(errno)))
      }
    }
    guard access(path, W_OK | X_OK) == 0 else {
      throw .folder(path: path, words: String(cString: strerror(errno)))
    }
  }

  // MARK: - Room

  private struct Item {
    var name: String
    var bytes: Int
    var used: timespec
  }

  /// Finished files, the one that was used first in front.
  private func items() -> [Item] {
    names().filter { !$0.hasSuffix(Self.draftEnding) }.compactMap { name in
      var status = stat()
      guard lstat(path(of: name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return Item(name: name, bytes: Int(status.st_size), used: status.st_atim)
    }.sorted { ($0.used.tv_sec, $0.used.tv_nsec, $0.name) < ($1.used.tv_sec, $1.used.tv_nsec, $1.name) }
  }

  private func names() -> [String] { (FolderEntry.all(in: path) ?? []).map(\.name).filter(Self.isOurs) }

  /// Whether castq gave the name: nothing else in the folder is counted or removed.
  private static func isOurs(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return (2...3).contains(parts.count) && parts[0].utf8.count == 40
      && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      && PreparationRecipe.Container(rawValue: String(parts[1])) != nil
      && (parts.count == 2 || ".\(parts[2])" == draftEnding)
  }

  /// Removes files until so much is free, the one that was used first in front. What could not have enough costs none.
  ///
  /// - Parameters:
  ///   - least: fewer bytes are of no use.
  ///   - kept: names that stay, because something needs them next.
  /// - Returns: the bytes that are free, which may be fewer or more.
  func makeRoom(for bytes: Int, atLeast least: Int, keeping kept: Set<String>) -> Int {
    var items = items()
    var used = items.reduce(0) { $0.adding(bounded: $1.bytes) }
    items.removeAll { kept.contains($0.name) }
    let removable = items.reduce(0) { $0.adding(bounded: $1.bytes) }
    if budget - used + removable < least { items = [] }
    for item in items where budget - used < bytes {
      if unlink(path(of: item.name)) == 0 { used -= item.bytes }
    }
    return min(max(budget - used, 0), onDisk)
  }

  /// Removes what is more than the budget, as `makeRoom` does.
  /// - Returns: the bytes that were removed.
  package func trim(keeping kept: Set<String>) -> Int {
    let before = items().reduce(0) { $0.adding(bounded: $1.bytes) }
    guard before > budget else { return 0 }
    _ = makeRoom(for: 0, atLeast: .min, keeping: kept)
    return before - items().reduce(0) { $0.adding(bounded: $1.bytes) }
  }

  /// Bytes that the disk has for users.
  private var onDisk: Int {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return 0 }
    let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isHuge ? .max : Int(clamping: bytes)
  }

  /// Removes what processes have left behind that ended while they made it.
  package func removeAbandoned() {
    for name in names() where name.hasSuffix(Self.draftEnding) {
      guard let draft = PreparedDraft(path: path(of: name)) else { continue }
      draft.discard()
    }
  }
}
