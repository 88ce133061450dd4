import CastGuard
import CastPresentation
import CastProtocol
package import CastqFeeding
package import CastqText
package import Glibc

/// The daemon's configuration file.
package struct ConfigurationFile: Sendable {
  package let path: String
  /// Whether the path was given explicitly; such a file must exist.
  let isNamed: Bool

  package init(_ global: CallOptions) {
    let named = global.config ?? Environment.value("CASTQ_CONFIG")
    isNamed = named != nil
    let folder = Environment.value("XDG_CONFIG_HOME") ?? "\(Environment.home)/.config"
    path = named ?? "\(folder)/castq/config.yaml"
  }

  /// Reads the configuration. A missing file at the default path is an empty configuration.
  package func read() -> Result<DaemonConfiguration, Failure> {
    contents(or: DaemonConfiguration()) { bytes in
      ConfigurationReader.read(bytes, file: path, zone: Zone.rules(of:), checkStyle: Self.styleProblem)
    }
  }

  /// What is wrong with the style of the faces; nil when nothing is.
  @Sendable private static func styleProblem(in json: JSONValue) -> String? {
    do throws(CastError) { _ = try PresentationStyle(json: json) } catch { return error.message }
    return nil
  }

  /// The device of commands that name none; nil where the file names none, either. What else is wrong in the file is no matter.
  func defaultDevice() -> Result<String?, Failure> {
    contents(or: nil) { ConfigurationReader.readDefaultDevice($0, file: path) }
  }

  /// The zone of the site; nil where the file names none. What else is wrong in the file is no matter.
  package func siteZone() -> Result<ZoneName?, Failure> {
    contents(or: nil) { ConfigurationReader.readSiteZone($0, file: path, zone: Zone.rules(of:)) }
  }

  /// The devices that the file gives an address. What else is wrong in the file is no matter.
  package func devices() -> Result<[DaemonConfiguration.Named], Failure> {
    contents(or: []) { ConfigurationReader.readDevices($0, file: path) }
  }

  /// What the file says of the link with a centre and a broker. What else is wrong in the file is no matter.
  package func link() -> Result<LinkRules, Failure> {
    contents(or: LinkRules()) { ConfigurationReader.readLink($0, file: path) }
  }

  /// The places that may be asked whoever names them. What else is wrong in the file is no matter.
  func allowedLocal() -> Result<[LocalPlace], Failure> {
    contents(or: []) { ConfigurationReader.readAllowedLocal($0, file: path) }
  }

  private func contents<Value>(
    or nothing: Value, _ read: ([UInt8]) -> Result<Value, ConfigurationError>
  ) -> Result<Value, Failure> {
    // Opening a pipe would otherwise wait for whoever writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return errno == ENOENT && !isNamed ? .success(nothing) : .failure(unreadable())
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failure(unreadable()) }
    if let words = Self.refusal(of: status, at: path) { return .failure(unreadable(words)) }
    // Never read more than the longest allowed configuration.
    guard let bytes = Self.bytes(of: descriptor, limit: ConfigurationReader.longest) else {
      return .failure(unreadable())
    }
    return read(bytes).mapError { Failure("configuration", "\($0)", exit: .configuration) }
  }

  /// The whole file, or a little more than the limit; nil with `errno` set if it cannot be read.
  package static func bytes(of descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// Why something is no configuration: the file is read more than once, which a pipe is not, and a device may never end. Nil for a file,
  /// and for the device that is empty.
  package static func refusal(of status: stat, at path: String) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "it is a directory"
    case S_IFIFO: "it is a pipe, not a file"
    case _ where path == "/dev/null": nil
    default: "it is a device, not a file"
    }
  }

  private func unreadable(_ words: String = String(cString: strerror(errno))) -> Failure {
    Failure(
      "configuration", "cannot read the configuration \(path): \(words)", exit: .configuration)
  }
}
