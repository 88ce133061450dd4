import CastqOperations

extension GivenOptions {
  /// What the daemon and the page that belongs to it both have, as it is given to a program.
  var ofServices: [String] {
    let call = call
    var words = ["--db", call.databasePath]
    if let config { words += ["--config", config] }
    if let app { words += ["--app", app] }
    if let advertise { words += ["--advertise", "\(advertise)"] }
    if let mediaPort { words += ["--media-port", "\(mediaPort)"] }
    if let timeout { words += ["--timeout", "\(timeout.seconds)"] }
    if quiet { words.append("-q") }
    return words + Array(repeating: "-v", count: verbose)
  }
}
