import CastqCore
import Glibc

/// The configuration of the daemon, as a file of this machine.
struct ConfigurationFile: Sendable {
  let path: String
  /// Whether somebody named it: then it has to be there.
  let isNamed: Bool

  init(_ global: GlobalOptions) {
    let named = global.config ?? Environment.value("CASTQ_CONFIG")
    isNamed = named != nil
    let folder = Environment.value("XDG_CONFIG_HOME") ?? "\(Environment.home)/.config"
    path = named ?? "\(folder)/castq/config.yaml"
  }

  /// What it says; a file of the usual name that is not there says nothing.
  func read() -> Result<DaemonConfiguration, ControlFailure> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      return errno == ENOENT && !isNamed ? .success(DaemonConfiguration()) : .failure(unreadable())
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    // Whatever it is, no more of it is taken in than a configuration can have.
    while bytes.count <= ConfigurationReader.longest {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return .failure(unreadable()) }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return ConfigurationReader.read(bytes, file: path).mapError {
      ControlFailure("configuration", "\($0)", exit: .configuration)
    }
  }

  private func unreadable() -> ControlFailure {
    let words = String(cString: strerror(errno))
    return ControlFailure(
      "configuration", "cannot read the configuration \(path): \(words)", exit: .configuration)
  }
}
