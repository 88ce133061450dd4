import CastReceiverSim
import Dispatch
import Glibc

/// Sends the receivers' goodbyes and removes the control socket before the process ends. A second signal ends it at once.
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
