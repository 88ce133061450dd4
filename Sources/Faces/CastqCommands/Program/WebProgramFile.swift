import CastqPaths
import CastqText
import Glibc

/// The program beside this one that has the page's server: `castq-web`.
enum WebProgramFile {
  /// Becomes that program, with the same arguments.
  /// - Returns: why it could not.
  static func become() -> Failure {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    let own = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    let path = "\(own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex))castq-web"
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([path] + GivenWords.all).map { strdup(PathText.system($0)) } + [nil]
    defer { arguments.forEach { free($0) } }
    execv(path, &arguments)
    return Failure(
      "unavailable",
      "the page cannot be served: \(path): \(String(cString: strerror(errno))); install castq-web beside castq",
      exit: .unreachable)
  }
}
