package import CastProtocol
import CastSender
package import CastqCore
package import CastqStore

/// Everything a runner reacts to, in the order it happened. Sessions are numbered, so that a late word of one that was
/// replaced is not taken for the new one's.
enum RunnerEvent: Sendable {
  case session(Int, StampedSessionEvent)
  /// A session sent more events than could be handled; the rest of them is lost.
  case sessionFlooded(Int)
  /// The feeder has given a session up, for this reason.
  case sessionUseless(Int, String)
  /// What came of the feeder's question for a status.
  case statusAnswered(Int, StatusAnswer)
  /// An edit the feeder asked for is over; the second number is the feeder's own for it.
  case edited(Int, Int, EditOutcome)
  /// The earliest timer may be due.
  case timersDue
  /// Another process wrote to the database.
  case rowsChanged
  /// What could not be written may be written now.
  case writesDue
  /// The pause before the next try is over; the device is expected there.
  case retry(Device)
  /// It is time to look whether something may be shown again; the number tells which wait is meant.
  case look(Int)
  /// Somebody wants it to end.
  case stop(String)
  /// Somebody wants it to end and the screen to go on.
  case leave
  /// The device is to be as loud as this from now on; nil is as loud as before.
  case keepVolume(Double?)
  /// The list is to start over at its end, or not any more.
  case loop(Bool)
  /// A live command.
  case control(ControlCommand, ControlTicket)
  /// The receiver did not do what a live command asked for; the failure is for whoever waits for the play it was to bring.
  case refused(ControlFailure?)
}

/// What a runner tells whoever watches it, for a progress line or a log.
package enum RunnerReport: Sendable {
  case connecting(DeviceEndpoint)
  /// The device went away; the next try comes after the pause.
  case retrying(CastError, after: Duration)
  /// The application is joined; nil while its name is unknown.
  case connected(ApplicationMetadata?)
  /// Nothing may be shown before that moment.
  case waiting(until: WallTime)
  /// Another list has taken the place of the one that was being fed.
  case replaced
  /// A person wants this entry now, whatever was to come next.
  case sentTo(EntryID)
  case started(EntryTurn, title: String)
  case status(MediaStatus)
  case ended(EntryTurn, title: String, EndedPlay, EntryState)
  /// The database failed: what was read last goes on playing, and what happens is kept to be written later. Told once.
  case storeFailed(StoreError)
  /// The database works again, or the run ends without it.
  case storeCaughtUp(StoreCatchUp)
}
