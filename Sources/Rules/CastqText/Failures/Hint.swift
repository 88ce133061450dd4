package import CastProtocol

/// What a person can do about a failure, as a value. The command line prints a command, the page has words of its own, and MPD says
/// nothing of it.
package enum Hint: Sendable, Hashable {
  // The database and the daemon.
  case startDaemon, checkStatus, stopFeeder, checkDatabase, chooseDatabase, upgradeFirst
  /// With the command that does it, if there is a copy from before the upgrade.
  case installNewer(String)
  case standBy

  // Devices and groups.
  case findFirstDevice, findDevice, scanForDevices, nameDevice, changePin
  case unpin(String)
  case makeGroup, listGroups
  case addToGroup(String)

  // Queues and what was played.
  case listEntries, showQueue, clearQueue, failedHistory, listPlays, printKey
  /// On a device, in quiet hours.
  case playNow(String)

  // Tokens.
  case listTokens
  case removeToken(String)

  // The schedule. Kinds of rows are the verbs of their commands.
  case showPlan, listProgrammes
  case disableRule(String)
  case disableRuleFirst(String)
  case applySchedule(String)
  case makeFirst(String)
  case replaceOrRemove(String)
  case remove(String)

  /// Every hint, with this name where it has one. `init(json:)` finds a hint only here.
  package static func all(_ name: String) -> [Hint] {
    [
      .startDaemon, .checkStatus, .stopFeeder, .checkDatabase, .chooseDatabase, .upgradeFirst,
      .installNewer(name), .standBy, .findFirstDevice, .findDevice, .scanForDevices, .nameDevice,
      .changePin, .unpin(name), .makeGroup, .listGroups, .addToGroup(name), .listEntries, .showQueue,
      .clearQueue, .failedHistory, .listPlays, .printKey, .playNow(name), .showPlan,
      .listProgrammes, .listTokens, .removeToken(name), .disableRule(name), .disableRuleFirst(name),
      .applySchedule(name), .makeFirst(name),
      .replaceOrRemove(name), .remove(name),
    ]
  }

  /// What follows a message at a terminal, with what joins the two.
  package var typed: String { words.typed }

  /// What follows a message in a page; nil where a page has nothing to do about it.
  package var paged: String? { words.paged }

  private struct Words {
    let code: String
    let typed: String
    var paged: String?
    var name: String?

    init(_ code: String, _ typed: String, paged: String? = nil, _ name: String? = nil) {
      (self.code, self.typed, self.paged, self.name) = (code, typed, paged, name)
    }
  }

  private var words: Words {
    switch self {
    case .startDaemon: Words("start_daemon", ": start 'castq daemon'", paged: "the daemon has to be started")
    case .checkStatus: Words("check_status", "; check 'castq status' and try again", paged: "try again")
    case .stopFeeder:
      Words("stop_feeder", ": 'castq stop' stops it, 'castq cast' replaces its list", paged: "stop it first")
    case .checkDatabase:
      Words("check_database", "; run 'castq db check', restore a backup or choose another file with --db")
    case .chooseDatabase: Words("choose_database", "; choose another place with --db")
    case .upgradeFirst:
      Words(
        "upgrade_first",
        ": run a command of castq of commit aea91408 on it first, or choose another file with --db")
    case .installNewer(let command):
      Words(
        "install_newer",
        ": install a newer castq"
          + (command.isEmpty
            ? ""
            : ", or end all of castq and put back the copy from before the upgrade, without what was recorded since: "
              + command),
        paged: "install a newer castq", command)
    case .standBy: Words("stand_by", ", and 'castq-link standby' waits for its turn")
    case .findFirstDevice:
      Words(
        "find_first_device",
        ": search with 'castq devices', or add one with 'castq device add NAME HOST[:PORT]'")
    case .findDevice:
      Words(
        "find_device", ": search for it with 'castq devices', or add it with 'castq device add NAME HOST'")
    case .scanForDevices: Words("scan_for_devices", "; 'castq devices --scan' searches for others")
    case .nameDevice:
      Words("name_device", "? Name one with --device, or set one with 'castq device default'")
    case .changePin:
      Words("change_pin", "; 'castq device pin' changes how it must prove its identity")
    case .unpin(let device):
      Words("unpin", "; 'castq device unpin \(ShellWord.typed(device))' forgets the pinned key", device)
    case .makeGroup: Words("make_group", ": make one with 'castq group add NAME DEVICE…'")
    case .listGroups: Words("list_groups", ": 'castq group ls' lists the groups")
    case .addToGroup(let group):
      Words("add_to_group", ": 'castq group add \(ShellWord.typed(group)) DEVICE' adds one", group)
    case .listEntries: Words("list_entries", ": 'castq queue' lists them")
    case .showQueue: Words("show_queue", "; 'castq queue' shows it", paged: "the queue shows it")
    case .clearQueue: Words("clear_queue", ": 'castq clear' them first", paged: "clear that queue first")
    case .failedHistory:
      Words(
        "failed_history", "; 'castq history --outcome failed' lists all", paged: "the history lists all")
    case .listPlays: Words("list_plays", ": 'castq history --json' has their numbers")
    case .printKey: Words("print_key", ": write what 'castq report key' prints at the site")
    case .playNow(let device):
      Words(
        "play_now",
        "; 'castq --no-daemon\(device.isEmpty ? "" : " -d \(ShellWord.typed(device))") play' plays it now",
        device)
    case .showPlan:
      Words("show_plan", "; 'castq plan' shows what does", paged: "the schedule shows what does")
    case .listProgrammes:
      Words("list_programmes", ": 'castq programme ls' lists them", paged: "the page Programmes lists them")
    case .listTokens: Words("list_tokens", ": 'castq web token ls' lists them")
    case .removeToken(let name):
      Words("remove_token", ": 'castq web token rm \(ShellWord.typed(name))' removes it", name)
    case .disableRule(let rule):
      Words(
        "disable_rule", ", or at once after 'castq schedule disable \(ShellWord.typed(rule))'",
        paged: "disable the rule \(rule) in the schedule to play it at once", rule)
    case .disableRuleFirst(let rule):
      Words(
        "disable_rule_first", ", or after 'castq schedule disable \(ShellWord.typed(rule))'",
        paged: "disable the rule \(rule) in the schedule to transfer it now", rule)
    case .applySchedule(let path):
      Words("apply_schedule", ": 'castq schedule apply \(ShellWord.typed(path))' applies it", path)
    case .makeFirst(let verb): Words("make_first", ": 'castq \(verb) add' makes one", verb)
    case .replaceOrRemove(let verb):
      Words("replace_or_remove", ": --replace changes it, 'castq \(verb) rm' removes it", verb)
    case .remove(let verb): Words("remove", ": 'castq \(verb) rm' removes it", verb)
    }
  }
}

extension Hint {
  package var json: JSONValue {
    let words = words
    return ["code": .string(words.code), "name": words.name.map { .string($0) } ?? .null]
  }

  /// Reads what `json` wrote; nil is a hint that this program does not know.
  package init?(json: JSONValue?) {
    guard let code = json?["code"]?.string,
      let hint = Self.all(json?["name"]?.string ?? "").first(where: { $0.words.code == code })
    else { return nil }
    self = hint
  }
}
