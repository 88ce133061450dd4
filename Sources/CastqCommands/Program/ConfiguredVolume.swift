import CastqCore
import CastqDaemon
import CastqStore
import Synchronization

/// The volume that the configuration sets for devices, which faces show beside the device's own. The file is read again when it has
/// changed; one that is broken sets none.
final class ConfiguredVolume: Sendable {
  private struct Read {
    let version: FileVersion?
    let configuration: DaemonConfiguration?
  }

  private let file: ConfigurationFile
  private let read = Mutex<Read?>(nil)

  init(_ file: ConfigurationFile) { self.file = file }

  /// From 0 to 1; nil leaves the device's volume as it is.
  func level(of device: KnownDevice) -> Double? {
    let version = FileVersion(path: file.path)
    return read.withLock { read in
      if read == nil || read?.version != version {
        read = Read(version: version, configuration: try? file.read().get())
      }
      return read?.configuration?.rules(for: device.names).volume
    }
  }
}
