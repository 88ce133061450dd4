package import CastProtocol
package import CastSender
package import CastqFeeding
import Synchronization

/// Launches an application on a device that displays nothing, has it play something, and closes it again. What another sender has
/// started, or starts meanwhile, stays.
package enum LaunchTest {
  /// What came of it.
  package struct Result: Sendable {
    package var launch: LaunchFinding
    /// Whether the media played; nil when it was not loaded.
    package var load: Swift.Result<Void, CastError>?
  }

  /// - Parameters:
  ///   - session: one that plays on the application, not started; it has ended afterwards.
  ///   - media: loaded once the application runs; nil loads nothing.
  package static func perform(
    with session: Session, media: MediaInformation?, time: TimeSource = .continuous
  ) async -> Result {
    let launched = LaunchNote()
    session.subscribe { launched.note($0.event) }
    let start = time.now()
    do throws(CastError) {
      let application = try await session.start()
      let name = application.map { $0.displayName ?? $0.applicationID } ?? "an application"
      guard launched.isLaunched, session.remoteMediaClient.mediaStatus == nil else {
        await session.leave()
        return Result(launch: .overtaken(name))
      }
      let launch = LaunchFinding.launched(
        application?.applicationID ?? name, seconds: (time.now() - start).seconds)
      guard let media else {
        await session.end(.stopApplication)
        return Result(launch: launch)
      }
      let load = await load(media, on: session)
      await session.end(isOwn(media, on: session) ? .stopApplication : .leave)
      return Result(launch: launch, load: load)
    } catch {
      return Result(launch: .failed(CastErrorSummary(error)))
    }
  }

  private static func load(
    _ media: MediaInformation, on session: Session
  ) async -> Swift.Result<Void, CastError> {
    do throws(CastError) {
      _ = try await session.remoteMediaClient.load(media).value
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Whether nothing but this media is loaded.
  private static func isOwn(_ media: MediaInformation, on session: Session) -> Bool {
    guard let status = session.remoteMediaClient.mediaStatus, let loaded = status.mediaInformation else {
      return true
    }
    return loaded.contentID == media.contentID
  }
}

/// Whether a session has launched its application itself.
private final class LaunchNote: Sendable {
  private let state = Mutex(false)

  var isLaunched: Bool { state.withLock { $0 } }

  func note(_ event: SessionEvent) -> Bool {
    if event == .launching { state.withLock { $0 = true } }
    return true
  }
}
