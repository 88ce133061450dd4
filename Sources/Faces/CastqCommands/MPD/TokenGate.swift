import CastSender
import CastqOperations
import CastqMPD
import Logging

/// Lets in who has a token of `castq web token add`.
struct TokenGate: MPDGate {
  private let tokens: TokenBook
  private let wrong = WrongTokens(limit: 10, now: { TimeSource.continuous.wallMilliseconds() / 1000 })

  /// - Parameter path: the file with the hashed tokens.
  init(_ path: String) {
    let logger = CastLogger.shared.logger(for: "MPDServer")
    tokens = TokenBook(path: path) { logger.warning("\($0)") }
  }

  func permissions(password: String, peer: String?) throws(MPDFailure) -> MPDPermissions? {
    guard let holder = tokens.holder(of: password) else {
      guard wrong.note(from: peer ?? "?") else {
        throw MPDFailure(.permission, "too many wrong passwords from this address: wait a minute")
      }
      return nil
    }
    return Self.permissions(holder.role)
  }

  func permissions(stillOf password: String) -> MPDPermissions? {
    tokens.holder(of: password).map { Self.permissions($0.role) }
  }

  private static func permissions(_ role: WebRole) -> MPDPermissions {
    switch role {
    case .look: .read
    case .operate: [.read, .control]
    case .edit: .all
    }
  }
}
