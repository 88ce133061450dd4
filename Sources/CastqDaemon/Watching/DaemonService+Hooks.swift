import CastSender
import CastqCore
import CastqStore

/// Writes what hooks are told, as it happens.
extension DaemonService {
  func deliver(_ event: HookEvent) {
    hooks.post(event)
    writeHooksLater()
  }

  /// Writes what had to wait for rows that can be written.
  func writeHooks() {
    hooks.write()
    writeHooksLater()
  }

  private func writeHooksLater() {
    if hooks.isWaiting { timers.start(.hooks, after: HookDesk.pause) }
  }
}
