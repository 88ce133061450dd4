package import CastqFiles
package import CastqText
import GRDB

/// An error of the database; the description names the file, the problem and what to do.
package enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or its folder cannot be created.
  case cannotCreate(path: String, words: String)
  /// A copy of the database cannot be made at a path.
  case cannotCopy(path: String, words: String)
  /// The file exists and is not writable.
  case readOnly(path: String)
  /// Another process holds a lock. The hint says what ends it.
  case busy(path: String, holder: String, hint: Hint? = nil)
  /// The file is damaged or not a castq database.
  case corrupt(path: String, words: String)
  /// The schema is newer than this program. `copy` is the newest copy from before an upgrade that this program can open.
  case tooNew(path: String, version: Int, known: Int, copy: String?)
  /// The schema is older than this program, and the file is not writable, so it cannot be upgraded.
  case tooOld(path: String)
  /// The schema is one of before the first release that this program does not take over.
  case tooEarly(path: String, version: Int)
  /// Another file is at the path, or none, since this process opened it: nobody else sees what it writes.
  case replaced(path: String)
  /// No space is left.
  case full(path: String)
  /// The disk or the network share of the file reports errors.
  case disk(path: String, words: String)
  /// Reading or writing failed.
  case failed(path: String, words: String)
  /// No device matches the selector.
  case unknownDevice(String, known: [String])
  /// The list that was fed is not there any more.
  case listGone
  /// No device was named, and none is known.
  case noDevice
  /// No device was named, several are known, and none is the default.
  case noDefault(candidates: [String])
  /// Several devices match the selector.
  case ambiguousDevice(String, candidates: [String])
  /// The name, alias or address belongs to another device already.
  case taken(String)
  /// A queue cannot move to a device that has entries of its own.
  case queueInUse(waiting: Int)
  /// No such entry in this queue.
  case unknownEntry(String)
  /// Another person or the device changed what is to be changed, after it was looked at.
  case stale(String)
  /// A change of the schedule that its rows do not allow.
  case refused(ScheduleRefusal)

  package var description: String { message + (hint?.typed ?? "") + remark }

  /// What happened, to which file.
  package var message: String {
    switch self {
    case .cannotCreate(let path, let words):
      "cannot create the database \(path): \(words)"
    case .cannotCopy(let path, let words):
      "cannot copy the database to \(path): \(words); name a new file in a folder that may be written"
    case .readOnly(let path): "the database \(path) cannot be written: check its permissions and its folder's"
    case .busy(let path, let holder, _): "\(path) is in use: \(holder)"
    case .corrupt(let path, let words): Self.damage(path, words)
    case .tooNew(let path, let version, let known, _):
      "\(path) has schema \(version) and this castq knows \(known)"
    case .tooOld(let path):
      "\(path) was made by an older castq: run any castq command as a user who may write it"
    case .tooEarly(let path, let version):
      "\(path) has schema \(version) of before the first release, and castq reads only schema \(SchemaVersion.lastNumber) of those"
    case .replaced(let path):
      "\(path) was replaced or removed while castq had it open; end all of castq and start it again"
    case .full(let path): "no space is left for \(path): free some space and try again"
    case .disk(let path, let words): "the disk under \(path) fails: \(words); check it and the system's log"
    case .failed(let path, let words): "\(path) failed: \(words)"
    case .unknownDevice(let name, let known):
      known.isEmpty
        ? "no device \(name) is known" : "no device \(name) is known; known are: \(Self.list(known))"
    case .listGone: "the list was removed: its device with it, or the rule that showed it"
    case .noDevice: "no device is known yet"
    case .noDefault: "which device"
    case .ambiguousDevice(let name, let candidates):
      "\(name) matches \(candidates.joined(separator: " and ")): give the full name"
    case .taken(let name):
      "\(name) belongs to another device already: choose another name, or remove that one first"
    case .queueInUse(let waiting):
      "\(waiting) \(waiting == 1 ? "entry waits" : "entries wait") in its own queue"
    case .unknownEntry(let entry): "no entry \(entry) in this queue"
    case .stale(let words): "\(words): look at it again"
    case .refused(let refusal): refusal.message
    }
  }

  /// What to do about it.
  package var hint: Hint? {
    switch self {
    case .cannotCreate: .chooseDatabase
    case .busy(_, _, let hint): hint
    case .corrupt: .checkDatabase
    case .tooNew(let path, _, _, let copy):
      .installNewer(copy.map { SchemaCopy.command(putting: $0, over: path) } ?? "")
    case .tooEarly: .upgradeFirst
    case .unknownDevice(_, let known): known.isEmpty ? .findDevice : .scanForDevices
    case .noDevice: .findFirstDevice
    case .noDefault: .nameDevice
    case .queueInUse: .clearQueue
    case .unknownEntry: .listEntries
    case .refused(let refusal): refusal.hint
    case .cannotCopy, .readOnly, .tooOld, .replaced, .full, .disk, .failed, .listGone, .ambiguousDevice,
      .taken, .stale:
      nil
    }
  }

  /// What there is to say after that, with what joins it.
  package var remark: String {
    switch self {
    case .busy: "; try again when it has ended"
    case .noDefault(let candidates): ": \(Self.list(candidates))"
    default: ""
    }
  }

  /// What is damaged, without what to do about it, for the command that this error advises; other errors are as they are described.
  package var finding: String {
    if case .corrupt(let path, let words) = self { Self.damage(path, words) } else { description }
  }

  /// Whether the file is damaged, or a row of it.
  package var isOfDamage: Bool { if case .corrupt = self { true } else { false } }

  private static func damage(_ path: String, _ words: String) -> String {
    "\(path) is damaged or not a castq database: \(words)"
  }

  /// Whether the file is the cause and not the request: the same call may succeed later or after a repair.
  package var isOutage: Bool {
    switch self {
    case .cannotCreate, .readOnly, .busy, .corrupt, .full, .disk: true
    case .tooNew, .tooOld, .tooEarly, .replaced, .failed, .unknownDevice, .listGone, .noDevice, .noDefault,
      .ambiguousDevice, .taken,
      .queueInUse, .unknownEntry, .stale, .refused, .cannotCopy:
      false
    }
  }

  /// Whether this user may not write the file, which may still be readable.
  var isOfPermissions: Bool {
    switch self {
    case .cannotCreate, .readOnly: true
    case .busy, .corrupt, .full, .disk, .tooNew, .tooOld, .tooEarly, .replaced, .failed, .unknownDevice,
      .listGone,
      .noDevice,
      .noDefault,
      .ambiguousDevice, .taken, .queueInUse, .unknownEntry, .stale, .refused, .cannotCopy:
      false
    }
  }

  /// Whether the disk is full; what is on it may still be readable.
  var isOfRoom: Bool { if case .full = self { true } else { false } }

  /// At most 12 names.
  static func list(_ names: [String]) -> String {
    names.count > 12
      ? names.prefix(10).joined(separator: ", ") + " and \(names.count - 10) more"
      : names.joined(separator: ", ")
  }

  /// A file beside the database that is not used.
  package init(_ error: OwnFileError) { self = .failed(path: error.path, words: error.words) }

  /// Converts an error of SQLite or GRDB.
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
      // GRDB's errors print whole rows, which may hold secrets.
      self =
        error is RowDecodingError
        ? .corrupt(path: path, words: "a column has an invalid value")
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
    // SQLite reports only of the file itself that it is full, and not of those beside it.
    case .SQLITE_IOERR where Self.isOfRoom(error, path), .SQLITE_CANTOPEN where Self.isOfRoom(error, path):
      self = .full(path: path)
    case .SQLITE_IOERR: self = .disk(path: path, words: words)
    case .SQLITE_CANTOPEN: self = .cannotCreate(path: path, words: words)
    default: self = .failed(path: path, words: words)
    }
  }

  /// Whether a file beside the database could not be made or made longer, on a disk that is full.
  private static func isOfRoom(_ error: DatabaseError, _ path: String) -> Bool {
    let codes: [ResultCode] = [
      .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMMAP, .SQLITE_IOERR_WRITE,
      .SQLITE_IOERR_TRUNCATE, .SQLITE_CANTOPEN,
    ]
    return codes.contains { $0 ~= error.extendedResultCode } && DatabaseFile.hasNoRoom(path)
  }
}
