import CastReceiverSim
import Dispatch
import Glibc

/// Lets the receivers say goodbye, and the control socket be removed, before the process ends. A second signal does not wait for that.
final class Ending {
  private let sources: [any DispatchSourceSignal]

  init(fleet: SimFleet) {
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler {
        signal(number, SIG_DFL)
        Task {
          await fleet.stop()
          _exit(0)
        }
      }
      source.resume()
      return source
    }
  }
}
