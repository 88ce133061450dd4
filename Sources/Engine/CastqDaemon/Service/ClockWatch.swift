import CSystemClock
import Dispatch
import Glibc

/// Notices at once that somebody has set the system's clock. Steering by a time service does not count: it only changes the pace.
struct ClockWatch {
  /// An element each time; none on a system that does not tell.
  static func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let descriptor = castq_clock_watch()
      guard descriptor >= 0 else { return continuation.finish() }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
      source.setEventHandler {
        castq_clock_watch_again(descriptor)
        continuation.yield()
      }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      // Sources may be cancelled on any thread (dispatch_source_cancel), and nothing else is done to this one from here on.
      nonisolated(unsafe) let cancelled = source
      continuation.onTermination = { _ in cancelled.cancel() }
    }
  }
}
