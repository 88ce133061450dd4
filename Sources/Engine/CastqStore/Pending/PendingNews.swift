package import CastqFiles

/// What became of writes that a process could not make until its end, in words for people.
package enum PendingNews: Error, Sendable, Hashable, CustomStringConvertible {
  /// They have been written. Some may be of what is not there any more, as of a device that was removed.
  case takenIn(writes: Int, dropped: Int)
  /// They still wait, in the file.
  case waits(writes: Int, path: String, error: StoreError)
  /// They wait in the file for the next start.
  case kept(writes: Int, path: String)
  /// They are lost.
  case missing(writes: Int, words: String)
  /// The process before was killed while it wrote the file.
  case torn(path: String)
  /// The file cannot be relied on from some line on, and is kept under another name.
  case damaged(path: String, words: String, copy: String?)
  /// A damaged file of before is there.
  case leftAside(copy: String)
  /// What is in the place of a file is not used.
  case refused(OwnFileError)
  /// Another process has the file.
  case inUse(path: String)
  /// The disk has no room for it.
  case noRoom(path: String)

  /// Whether somebody has to do something.
  package var isProblem: Bool { if case .takenIn(_, dropped: 0) = self { false } else { true } }

  package var description: String {
    switch self {
    case .takenIn(let writes, let dropped):
      "\(Self.count(writes)) of before made up for in queue and history"
        + (dropped == 0 ? "" : "; \(dropped) of them are of what is not there any more")
    case .waits(let writes, let path, let error):
      "\(Self.count(writes)) of before still wait in \(path): \(error)"
    case .kept(let writes, let path):
      "\(Self.count(writes)) wait in \(path); the next castq that feeds makes up for them"
    case .missing(let writes, let words): "\(Self.count(writes)) are missing in queue and history: \(words)"
    case .torn(let path): "castq was killed while it wrote \(path); what it had not written is missing"
    case .damaged(let path, let words, let copy):
      "\(path) is damaged: \(words); what stands before that is made up for"
        + (copy.map { ", and the file is kept as \($0): remove it when nothing of it is needed" } ?? "")
    case .leftAside(let copy): "\(copy) was damaged; remove it when nothing of it is needed"
    case .refused(let error): "\(error)"
    case .inUse(let path): "another castq has \(path): what cannot be written until the end will be missing"
    case .noRoom(let path):
      "no room can be kept free for \(path): what a full disk does not take until the end will be missing"
    }
  }

  private static func count(_ writes: Int) -> String { writes == 1 ? "1 write" : "\(writes) writes" }
}
