import CastProtocol
import CastSender
import Synchronization

/// Listens to a context for a presenter; a type of its own, so that nothing that is listened to retains the presenter.
final class PresenterEars: SessionManagerListener, DiscoveryManagerListener, MediaQueueListener {
  private struct Weak: Sendable { weak var presenter: CastPresenter? }
  private let holder = Mutex(Weak())
  var presenter: CastPresenter? { holder.withLock(\.presenter) }

  func set(_ presenter: CastPresenter) { holder.withLock { $0.presenter = presenter } }

  // MARK: - Devices

  func discoveryManager(_ manager: DiscoveryManager, didInsert device: Device) { presenter?.feedDevices() }
  func discoveryManager(_ manager: DiscoveryManager, didUpdate device: Device) { presenter?.feedDevices() }
  func discoveryManager(_ manager: DiscoveryManager, didRemove device: Device) { presenter?.feedDevices() }
  func discoveryManager(_ manager: DiscoveryManager, didUpdate problems: [DiscoveryProblem]) {
    presenter?.feedDevices()
  }

  // MARK: - Sessions

  func sessionManager(_ manager: SessionManager, willStart session: Session) { presenter?.watch(session) }
  func sessionManager(_ manager: SessionManager, didStart session: Session) { presenter?.watch(session) }
  func sessionManager(_ manager: SessionManager, willResume session: Session) { presenter?.watch(session) }
  func sessionManager(
    _ manager: SessionManager, didResume session: Session, inSameApplicationSession isSame: Bool
  ) { presenter?.watch(session) }
  func sessionManager(
    _ manager: SessionManager, didSuspend session: Session, for reason: SessionSuspendReason
  ) { presenter?.watch(session) }
  func sessionManager(_ manager: SessionManager, session: Session, didUpdate device: Device) {
    presenter?.deviceChanged(of: session)
  }

  // MARK: - The queue

  func mediaQueueDidChange(_ queue: MediaQueue) { presenter?.feedQueuePlace() }
}
