import CastSender
import CastqCore
import CastqFiles
import CastqStore
import Logging

/// What the configuration and an earlier version have that is not in rows yet.
extension DaemonService {
  /// Adds the devices that the configuration names with an address, and that nobody has added yet.
  func addConfiguredDevices() {
    guard case .service = scope else { return }
    do throws(StoreError) {
      for addition in try rows.devices.add(configuration.devices, at: wall) {
        switch addition {
        case .added(let device):
          logger.notice(
            "device added", metadata: ["castq.device": "\(TerminalText.sanitized(device.name))"])
        case .refused(let name, let error):
          logger.error(
            "device of the configuration cannot be added",
            metadata: ["castq.device": "\(TerminalText.sanitized(name))", "error": "\(error)"])
        }
      }
    } catch {
      reportReadError(error)
    }
  }

  /// Takes over what an earlier version kept in a file.
  func adoptOldLists() {
    guard case .service = scope else { return }
    let file = OldListFile(besides: database.path)
    guard file.isThere else { return }
    let lists: [String: ConfiguredList]?
    var words = "it has something else"
    do throws(OwnFileError) { lists = try file.lists() } catch {
      (lists, words) = (nil, error.words)
    }
    guard let lists else {
      return logger.warning(
        "what an earlier version kept of lists cannot be read, they are taken up as for the first time",
        metadata: ["castq.file": "\(TerminalText.sanitized(file.path))", "castq.problem": "\(words)"])
    }
    do throws(StoreError) {
      try rows.queue.adopt(lists)
      file.remove()
    } catch {
      reportReadError(error)
    }
  }
}
