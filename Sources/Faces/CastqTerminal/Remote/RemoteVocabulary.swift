package import CastqFeeding
package import CastqPlaylists

/// What happens to a remote.
package enum RemoteEvent: Sendable, Hashable {
  case terminal(TerminalEvent)
  case resized(columns: Int, rows: Int)
  /// Time has passed: what moves by itself is drawn again.
  case woken
  /// The devices in the order of their names; `problem` says why none were found, `isSearching` that the search continues.
  case devices([RemoteDevice], isSearching: Bool, problem: String?)
  case status(Int64, RemoteStatus)
  case queue(Int64, RemoteQueue)
  /// A text that was asked for, in lines.
  case text(RemoteText, [String])
  /// A text about a device for the place beside its queue, in short lines.
  case aside(Int64, RemoteText, [String])
  /// What could be played from here, as it would be typed.
  case files([String])
  case finished(Int)
  /// A request failed: why, and what to do.
  case failed(Int, String)
  /// Something worth a line that nobody asked for.
  case note(String)
  case artwork(String, [[Screen.Cell]])
}

/// Longer texts, each of which another command prints, too.
package enum RemoteText: String, Sendable, Hashable, CaseIterable {
  case plan, why, log, help
}

/// What a remote has its driver do.
package enum RemoteAction: Sendable, Hashable {
  /// Show the screen as it is now.
  case draw
  /// Follow this device, and no other.
  case follow(Int64)
  /// Search the network for devices, until `stopSearching`.
  case search
  case stopSearching
  case perform(Int, RemoteRequest)
  case edit(Int, RemoteEdit)
  case read(RemoteText)
  /// The same for the place beside the queue, in short lines.
  case readAside(RemoteText)
  case listFiles
  /// The picture at this address, in so many columns and rows.
  case fetchArtwork(String, columns: Int, rows: Int)
  /// The first-run explanation was seen.
  case rememberIntroduction
  case suspend
  case synchronise
  case quit
}

/// A live command for the device.
package enum RemoteRequest: Sendable, Hashable {
  /// What the command of the same name does.
  case verb(PlaybackVerb)
  /// Starts the queue, with an entry or where it is.
  case start(Int64?)
  /// Adds what a person has typed, and starts the queue if nothing plays.
  case add(String, isNext: Bool)
  /// Moves what plays, with its queue, to another device.
  case transfer(to: Int64)
  /// Interrupts what is on the screen with what a person has typed, and gives the screen back.
  case announce(String)
}

/// A change of the queue's rows.
package enum RemoteEdit: Sendable, Hashable {
  /// To a position, from 1.
  case move(Int64, to: Int)
  case remove(Int64)
  /// Brings removed entries back under their numbers; with the list as it was before they were removed.
  case restore([Int64], asIn: [Int64])
  case clear
  case setRepeat(QueueRepeat)
  case setShuffle(Bool)
}
