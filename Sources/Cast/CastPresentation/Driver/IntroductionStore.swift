import Glibc

/// Where it is kept that the introduction was shown: once ever, also for the next process.
public protocol IntroductionStore: Sendable {
  /// Records that the introduction is shown.
  /// - Returns: true for the first call ever, or since `reset()`; false otherwise, and where nothing can be recorded.
  func claim() -> Bool
  /// Forgets that it was shown, so that it is shown again.
  func reset()
}

/// Keeps it as an empty file in a folder. Of several processes that claim at once, one is the first.
public struct FileIntroductionStore: IntroductionStore {
  /// The folder; it is created on demand, for its owner alone.
  public let folder: String

  /// A store in a folder.
  /// - Parameter folder: nil, the default, is `castsender` in the user's state folder: `$XDG_STATE_HOME`, else `~/.local/state`.
  public init(folder: String? = nil) { self.folder = folder ?? Self.stateFolder }

  /// Creates the file, unless it exists.
  public func claim() -> Bool {
    create(folder)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    close(file)
    return true
  }

  /// Removes the file.
  public func reset() { unlink(path) }

  private var path: String { "\(folder)/introduction-shown" }

  private func create(_ folder: String) {
    guard mkdir(folder, 0o700) != 0, errno == ENOENT, let slash = folder.lastIndex(of: "/"),
      slash > folder.startIndex
    else { return }
    create(String(folder[..<slash]))
    mkdir(folder, 0o700)
  }

  private static var stateFolder: String {
    func variable(_ name: String) -> String? {
      guard let value = getenv(name), value.pointee != 0 else { return nil }
      return String(cString: value)
    }
    let states = variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" }
    return "\(states ?? "/tmp/castsender-\(getuid())")/castsender"
  }
}
