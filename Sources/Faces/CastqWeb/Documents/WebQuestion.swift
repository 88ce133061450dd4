package import CastProtocol
package import CastqOperations

/// What the page and the API ask, each the counterpart of a command.
package enum WebQuestion: Sendable, Hashable {
  /// `castq devices`
  case devices
  /// `castq devices --scan`: after a short search of the network.
  case scan
  /// `castq device show`
  case device(String)
  /// `castq status`
  /// - Parameter isLive: whether the device is asked; otherwise what was heard of it last, at once.
  case status(String, isLive: Bool)
  /// `castq status --all`
  case statuses(isLive: Bool)
  /// `castq queue`: part of it, with its version. Nothing but the version when that is `since`.
  case queue(String, since: Int64?, from: Int, count: Int)
  /// `castq history`
  case history(WebOptions)
  /// `castq report KIND`
  case report(String, WebOptions)
  /// A paper of the page *Reports*, which puts together what reports say; with `format` of `csv` its table.
  case paper(Paper, WebOptions)
  /// `castq report proof`: a signed file, whose titles are as they were recorded.
  case proof(WebOptions)
  /// `castq plan`
  case plan(WebOptions)
  /// `castq why`: of a time, an entry, or `play:17`; nil is now.
  case why(String?, WebOptions)
  /// `castq schedule ls`, and the same of the things that rules name.
  case list(ScheduleList)
  /// `castq schedule show`; its version is the rule's revision.
  case rule(String)
  /// `castq schedule apply --dry-run` and `castq plan --diff`: what a change of a rule would change. The object has `rule`, as it is
  /// put, or the members of an exception.
  case preview(String, JSONValue)
  /// `castq programme show`
  case programme(String)
  /// The films, music and pictures in the folders of the configuration.
  case library(LibraryQuery)
  /// The programmes as people see them: what is in each, and where it plays.
  case programmeShelf
  /// `castq doctor`, without launching anything; for a page, in words without commands.
  case doctor(String?, isPaged: Bool)
  /// `castq check`: the problems of sources.
  case check([String])
  /// The artwork of an entry or a play, by the digest that a status names.
  case art(String, width: Int?)

  /// What the daemon has counted, as Prometheus reads it, under `text`; empty without a daemon.
  case metrics
  /// Whether the daemon is well: `late` and `problems`; both are null without a daemon.
  case health
  /// Whether a daemon runs: `running`; and who starts it where none does: `startable` for whoever may operate, or `service`.
  case daemon

  /// `castq device add`: the object has `name`, and `address` for one that discovery does not find.
  case addDevice(JSONValue)
  /// A command of the remote control; the object has `verb` and what goes with it.
  case command(String, JSONValue)
  /// `castq enqueue`
  case enqueue(String, JSONValue)
  /// Moves an entry behind another one, or to the top, as the list was at a version.
  case move(String, entry: Int64, after: Int64?, version: Int64)
  /// `castq remove`
  case remove(String, entry: Int64)
  /// `castq clear`, but that the entries can be brought back.
  case removeAll(String)
  /// Brings entries back that were removed since the list had this version, under their numbers; nil brings back all of them.
  case restore(String, entries: [Int64]?, version: Int64)
  /// `castq schedule add --replace`
  /// - Parameter revision: that of the rule that is replaced; nil makes one.
  case putRule(String, JSONValue, revision: Int?)
  /// Changes some members of a rule and leaves the others; null gives a member its usual value.
  /// - Parameter revision: that of the rule that was seen; nil is whatever it is.
  case editRule(String, JSONValue, revision: Int?)
  /// Makes a rule of another one, with some members changed, and without its exceptions.
  case copyRule(String, as: String, JSONValue)
  /// `castq schedule rm`; the answer has the rule as it was, as it is put, under `rule`.
  /// - Parameter revision: that of the rule that was seen.
  case removeRule(String, revision: Int)
  /// `castq schedule enable` and `disable`
  case enable(String, Bool)
  /// `castq schedule skip`, `move` and `replace`
  case exception(String, JSONValue)
  /// `castq announce`
  /// - Parameter isProgramme: whether the source is the name of a programme, and never a file.
  case announce(JSONValue, isProgramme: Bool = false)
  /// `castq programme add`: of a source, or of files of the library.
  case makeProgramme(JSONValue)
  /// Adds files of the library to a programme that was made of such.
  case addToProgramme(String, JSONValue)
  /// `castq programme rm`
  case removeProgramme(String)
  /// `castq daemon`, which outlives the page; the answer is that of `daemon`.
  case startDaemon
}

extension WebQuestion {
  /// Whether it only reads, and a device or the network is asked for the answer, which may take many seconds.
  package var asksDevices: Bool {
    switch self {
    case .scan, .status(_, isLive: true), .statuses(isLive: true), .doctor: true
    default: false
    }
  }

  /// Whether it may write rows.
  package var isChange: Bool {
    switch self {
    case .command, .enqueue, .move, .remove, .removeAll, .restore, .putRule, .editRule, .copyRule,
      .removeRule, .enable, .exception, .announce, .addDevice, .makeProgramme, .addToProgramme,
      .removeProgramme, .startDaemon:
      true
    case .devices, .scan, .device, .status, .statuses, .queue, .history, .report, .paper, .proof, .plan, .why,
      .list,
      .rule,
      .programme, .library, .programmeShelf, .preview, .doctor, .check, .art, .metrics, .health, .daemon:
      false
    }
  }
}

/// Options of the command line by their names, such as `since` and `tz`, in the order in which they were given.
package struct WebOptions: Sendable, Hashable {
  package var values: [Value] = []

  package struct Value: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(_ values: [Value] = []) { self.values = values }

  /// The first value of an option; nil without one.
  package subscript(name: String) -> String? { values.first { $0.name == name }?.value }

  /// All values of an option.
  package func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }
}
