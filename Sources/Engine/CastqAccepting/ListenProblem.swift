import Glibc
import NIOCore

/// Why a server cannot listen.
package enum ListenProblem {
  /// Why a place cannot be used, and whether only another one helps.
  package static func reason(_ error: any Error) -> (words: String, isLasting: Bool) {
    switch error {
    case let error as IOError:
      (String(cString: strerror(error.errnoCode)), [EACCES, EPERM].contains(error.errnoCode))
    case let error as SocketAddressError.UnknownHost:
      (error.errorDescription, error.errorCode == Int(EAI_NONAME))
    default: ("\(error)", false)
    }
  }
}
