import CastTLS
import CastqOperations
import Glibc
import Logging
import Synchronization

/// The certificate of the page, read again when its files change: one is renewed every few weeks.
final class WebCertificate: Sendable {
  /// Which files they are, and when they were written.
  private struct Version: Hashable {
    private struct File: Hashable {
      let device, number: UInt
      let size, seconds, nanoseconds: Int
    }

    private let files: [File?]

    init(_ files: WebSettings.TLSFiles) {
      self.files = [files.chain, files.key].map { path in
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return File(
          device: UInt(status.st_dev), number: UInt(status.st_ino), size: Int(status.st_size),
          seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
      }
    }
  }

  private struct State {
    var version: Version
    var context: TLSContext
  }

  private let files: WebSettings.TLSFiles
  private let logger: Logger
  private let state: Mutex<State>

  /// - Throws: when the files cannot be used.
  init(_ files: WebSettings.TLSFiles, _ logger: Logger) throws(TLSError) {
    self.files = files
    self.logger = logger
    // The version first: what is written in between is read again.
    let version = Version(files)
    state = Mutex(State(version: version, context: try Self.context(files)))
  }

  /// For a connection that begins. A renewed certificate that cannot be used leaves the one before.
  var context: TLSContext {
    state.withLock { state in
      let version = Version(files)
      guard version != state.version else { return state.context }
      state.version = version
      do throws(TLSError) {
        state.context = try Self.context(files)
        // Said as loudly as what goes wrong: services keep quiet about the rest.
        logger.warning("certificate was renewed", metadata: ["castq.file": "\(files.chain)"])
      } catch {
        logger.warning(
          "renewed certificate cannot be used; the one before is kept",
          metadata: ["castq.file": "\(files.chain)", "error": "\(error)"])
      }
      return state.context
    }
  }

  private static func context(_ files: WebSettings.TLSFiles) throws(TLSError) -> TLSContext {
    try TLSContext.server(chain: files.chain, key: files.key)
  }
}
