package import Glibc

/// Why a file that castq keeps for itself is not used.
package struct OwnFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// What is wrong with it.
  package let problem: Problem

  /// - Parameters:
  ///   - path: the file.
  ///   - problem: what is wrong with it.
  package init(path: String, problem: Problem) {
    self.path = path
    self.problem = problem
  }

  /// What is in the place of a file.
  package enum Kind: String, Sendable, Hashable {
    case folder, pipe, socket, device
  }

  /// What is wrong with a file.
  package enum Problem: Sendable, Hashable {
    case link
    case notAFile(Kind)
    /// It has another name, perhaps in a folder of somebody else.
    case linkedTwice
    /// It belongs to the user of this number.
    case foreign(uid_t)
    case writableByOthers
    /// The system's reason.
    case system(Int32)
  }

  /// What is wrong and what to do, without the name of the file.
  package var words: String {
    switch problem {
    case .link: "it is a symbolic link; remove it"
    case .notAFile(let kind): "it is a \(kind.rawValue) and not a file; remove it"
    case .linkedTwice: "it has a second name (a hard link); remove it"
    case .foreign(let user): "it belongs to another user (\(user)); remove it, or run castq as this user"
    case .writableByOthers: "others may write it; find out who has, then 'chmod go-w' it"
    case .system(let reason): String(cString: strerror(reason))
    }
  }

  package var description: String { "\(path) cannot be used: \(words)" }
}
