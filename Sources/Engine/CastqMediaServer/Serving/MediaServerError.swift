import Glibc
import NIOCore

/// Why the media server failed, with the subject and the remedy.
package enum MediaServerError: Error, Equatable, CustomStringConvertible {
  case cannotListen(host: String, port: Int, reason: String)
  /// A server starts only once, and not after it was stopped.
  case alreadyStarted
  case noSuchFile(String)
  /// A folder, FIFO, socket or device.
  case notAFile(String)
  case unreadable(String, reason: String)
  case notAContentType(String)
  /// A token from outside that is too short or not valid in a URL.
  case weakToken
  case full(limit: Int)
  /// The process has too many files open to begin.
  case noDescriptors

  init(_ error: MediaFileError, path: String) {
    switch error {
    case .missing: self = .noSuchFile(path)
    case .notRegular: self = .notAFile(path)
    case .noDescriptors: self = .unreadable(path, reason: "too many open files; raise the limit (ulimit -n)")
    case .unreadable(let reason): self = .unreadable(path, reason: reason)
    }
  }

  /// Why listening failed, in the system's words.
  static func reason(of error: any Error) -> String {
    guard let error = error as? IOError else { return "\(error)" }
    return String(cString: strerror(error.errnoCode))
  }

  package var description: String {
    switch self {
    case .cannotListen(let host, let port, let reason):
      "cannot serve media on \(host) port \(port): \(reason); choose another port"
    case .alreadyStarted: "this media server was already started or stopped; create a new one"
    case .noSuchFile(let path): "no such file: \(path)"
    case .notAFile(let path): "not a regular file: \(path); only files can be served to a device"
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .notAContentType(let type): "not a content type: \(type); write it like video/mp4"
    case .weakToken: "a media token needs 22 to 128 letters, digits, - or _"
    case .noDescriptors: "local files cannot be served: too many files are open; raise the limit (ulimit -n)"
    case .full(let limit): "more than \(limit) files are published; withdraw some first"
    }
  }
}
