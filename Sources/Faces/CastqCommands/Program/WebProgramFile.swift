import CastqPrograms
import CastqText
import Glibc

/// The program beside this one that has the page's server: `castq-web`.
enum WebProgramFile {
  static var path: String { beside("castq-web") }

  /// The path of a program in the folder of this one.
  static func beside(_ name: String) -> String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    let own = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    return "\(own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex))\(name)"
  }

  /// Becomes that program, with the same arguments.
  /// - Returns: why it could not.
  static func become() -> Failure {
    unavailable(ProgramLaunch(path, GivenWords.all).become())
  }

  /// Why it cannot be run.
  static func unavailable(_ error: Int32) -> Failure {
    Failure(
      "unavailable",
      "the page cannot be served: \(path): \(String(cString: strerror(error))); install castq-web beside castq",
      exit: .unreachable)
  }
}
