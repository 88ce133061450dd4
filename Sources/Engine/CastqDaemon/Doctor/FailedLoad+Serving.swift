package import CastProtocol
package import CastqFeeding
import CastqPaths
import CastqText
import Glibc

extension FailedLoad {
  /// A local file, by the access log, which names files without symbolic links.
  /// - Parameters:
  ///   - address: what was published: the entry's file, or what was prepared of it.
  ///   - log: the document of the command `fetches`.
  package init(published address: String, log: JSONValue) {
    self.init(file: Self.resolved(address), log: log)
  }

  /// The address without symbolic links; unchanged where the file is gone.
  private static func resolved(_ address: String) -> String {
    guard let path = try? FilePath.path(url: address), let real = realpath(PathText.system(path), nil) else {
      return address
    }
    defer { free(real) }
    return FilePath.url(PathText.text(real))
  }
}
