package import CastqDaemon
package import CastqFeeding
import CastqPlaylists
package import CastqText
import Glibc

/// Environment variables.
package enum Environment {
  /// The value; nil if unset or empty.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// The epoch of this box, which `castq-link standby` sets; nil outside a pair of boxes.
  package static func epoch() throws(Failure) -> Int? {
    guard let text = value("CASTQ_EPOCH") else { return nil }
    if let epoch = Int(text), (1...EntryTag.latestEpoch).contains(epoch) { return epoch }
    throw Failure(
      "usage",
      "CASTQ_EPOCH is \(TerminalText.excerpt(text)): it is no epoch; leave it to 'castq-link standby'",
      exit: .usage)
  }

  /// The programs that a configuration chooses, where they are installed.
  @Sendable package static func programs(_ choices: ProgramChoices) -> MediaPrograms {
    MediaPrograms(choices, environment: value)
  }

  /// The folder for what can be made again: the service manager's, the person's, or one in the service's own folder.
  package static var cacheFolder: String {
    if let folder = value("CACHE_DIRECTORY") { return folder }
    if let folder = value("XDG_CACHE_HOME") { return "\(folder)/castq" }
    if let folder = value("STATE_DIRECTORY") { return "\(folder)/cache" }
    return "\(home)/.cache/castq"
  }

  /// A folder for sockets; nil if there is none.
  package static var runtimeFolder: String? { value("XDG_RUNTIME_DIR") ?? value("RUNTIME_DIRECTORY") }

  /// The home directory, from the user database if `HOME` is unset, as in a system service.
  package static var home: String {
    if let home = value("HOME") { return home }
    guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return "." }
    return String(cString: home)
  }
}
