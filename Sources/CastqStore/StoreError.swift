import GRDB

/// What can go wrong with the database: which file, what happened, and what to do.
package enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or its folder cannot be made.
  case cannotCreate(path: String, words: String)
  /// The file is there and cannot be written.
  case readOnly(path: String)
  /// Another process holds what is needed.
  case busy(path: String, holder: String)
  /// The file is no database, or a damaged one.
  case corrupt(path: String, words: String)
  /// A newer castq made it.
  case tooNew(path: String, version: Int, known: Int)
  /// An older castq made it, and it may not be written, so that it cannot be brought up to date.
  case tooOld(path: String, version: Int, known: Int)
  /// No space is left.
  case full(path: String)
  /// The disk or the network share that holds the file does not do what it is told.
  case disk(path: String, words: String)
  /// Reading or writing failed.
  case failed(path: String, words: String)
  /// No device goes by that name.
  case unknownDevice(String, known: [String])
  /// None was named, and none is known.
  case noDevice
  /// None was named, and there are several.
  case noDefault(candidates: [String])
  /// Several devices do.
  case ambiguousDevice(String, candidates: [String])
  /// The name, alias or address belongs to another device already.
  case taken(String)
  /// A list cannot come to a device that has entries of its own.
  case queueInUse(waiting: Int)
  /// No such entry in this queue.
  case unknownEntry(String)

  package var description: String {
    switch self {
    case .cannotCreate(let path, let words):
      "cannot create the database \(path): \(words); choose another place with --db"
    case .readOnly(let path): "the database \(path) cannot be written: check its permissions and its folder's"
    case .busy(let path, let holder): "\(path) is in use: \(holder); try again when it has ended"
    case .corrupt(let path, let words):
      "\(path) is damaged or no castq database: \(words); look with 'castq db check', restore a backup or choose another file with --db"
    case .tooNew(let path, let version, let known):
      "\(path) has schema \(version) and this castq knows \(known): install a newer castq"
    case .tooOld(let path, let version, let known):
      "\(path) has schema \(version) and this castq reads \(known): let somebody who may write it run any castq command"
    case .full(let path): "no space is left for \(path): free some and try again"
    case .disk(let path, let words): "the disk under \(path) fails: \(words); check it and the system's log"
    case .failed(let path, let words): "\(path) failed: \(words)"
    case .unknownDevice(let name, let known):
      known.isEmpty
        ? "no device \(name) is known: look for it with 'castq devices', or add it with 'castq device add NAME HOST'"
        : "no device \(name) is known; known are: \(Self.list(known)); 'castq devices --scan' looks for others"
    case .noDevice:
      "no device is known yet: look for some with 'castq devices', or add one with 'castq device add NAME HOST[:PORT]'"
    case .noDefault(let candidates):
      "which device? Name one with --device, or choose one with 'castq device default': "
        + Self.list(candidates)
    case .ambiguousDevice(let name, let candidates):
      "\(name) could be \(candidates.joined(separator: " or ")): name it in full"
    case .taken(let name):
      "\(name) belongs to another device already: choose another name, or remove that one first"
    case .queueInUse(let waiting):
      "\(waiting) \(waiting == 1 ? "entry waits" : "entries wait") in its own queue: 'castq clear' them first"
    case .unknownEntry(let entry): "no entry \(entry) in this queue: 'castq queue' lists them"
    }
  }

  /// Whether it says something of the file and not of what was asked: the same may work later, or after a repair.
  package var isOutage: Bool {
    switch self {
    case .cannotCreate, .readOnly, .busy, .corrupt, .full, .disk: true
    case .tooNew, .tooOld, .failed, .unknownDevice, .noDevice, .noDefault, .ambiguousDevice, .taken,
      .queueInUse,
      .unknownEntry:
      false
    }
  }

  /// Whether the file may not be written by this user: it may still be readable.
  var isOfPermissions: Bool {
    switch self {
    case .cannotCreate, .readOnly: true
    case .busy, .corrupt, .full, .disk, .tooNew, .tooOld, .failed, .unknownDevice, .noDevice, .noDefault,
      .ambiguousDevice, .taken, .queueInUse, .unknownEntry:
      false
    }
  }

  /// A few of them: a message is one line.
  private static func list(_ names: [String]) -> String {
    names.count > 12
      ? names.prefix(10).joined(separator: ", ") + " and \(names.count - 10) more"
      : names.joined(separator: ", ")
  }

  /// SQLite's word for it, in ours.
  init(_ error: any Error, path: String) {
    if let error = error as? StoreError {
      self = error
      return
    }
    if let damage = error as? RowDamage {
      self = .corrupt(path: path, words: "\(damage)")
      return
    }
    guard let error = error as? DatabaseError else {
      // Errors of the library print whole rows, with whatever is secret in them.
      self =
        error is RowDecodingError
        ? .corrupt(path: path, words: "a column holds no such value")
        : .failed(path: path, words: "an error of the type \(type(of: error))")
      return
    }
    let words = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
      self = .busy(path: path, holder: "another process is writing")
    case .SQLITE_READONLY: self = .readOnly(path: path)
    case .SQLITE_FULL: self = .full(path: path)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(path: path, words: words)
    case .SQLITE_IOERR: self = .disk(path: path, words: words)
    case .SQLITE_CANTOPEN: self = .cannotCreate(path: path, words: words)
    default: self = .failed(path: path, words: words)
    }
  }
}
