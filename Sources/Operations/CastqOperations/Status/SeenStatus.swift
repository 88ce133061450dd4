package import CastProtocol
package import CastSender
import CastqDaemon
import CastqFeeding
package import CastqSchedule
package import CastqText

/// What is seen of a device at one moment: what feeds it says so, or a session of castq's own.
package struct SeenStatus: Sendable {
  package enum Connection: String, Sendable { case connecting, connected, offline }

  package var connection: Connection
  /// Nil unless it is connected.
  package var picture: StatusPicture?
  /// What the list waits for; nil where no daemon says it, and the rows do.
  package var outlook: Outlook?
  /// Whether it is what feeds the device that says so.
  package var isFed = false
  /// That the daemon is there and does not run; nil where it runs, or there is none.
  package var silence: DaemonSilence?
  /// Whether the device answered, and did not prove its identity as it must.
  package var isRefused = false
  /// The moment at which it was so; nil if nothing was seen yet, and where every change is shown anyway.
  package var at: WallTime? = .now

  package init(connection: Connection, picture: StatusPicture? = nil, outlook: Outlook? = nil) {
    (self.connection, self.picture, self.outlook) = (connection, picture, outlook)
  }

  /// Without its moment, where every change is shown when it comes.
  package var untimed: SeenStatus {
    var seen = self
    seen.at = nil
    return seen
  }

  /// A device of which nothing was seen yet.
  /// - Parameter outlook: what the daemon says of it; nil where none does.
  package static func unseen(_ outlook: Outlook?) -> SeenStatus {
    SeenStatus(connection: .connecting, outlook: outlook).untimed
  }
}

/// The status that a device reported.
package struct StatusPicture {
  package var receiver: ReceiverStatus?
  var application: ApplicationMetadata?
  package var media: MediaStatus?
  /// The application did not answer the request for its media status.
  var isMediaSilent = false
}

extension StatusPicture {
  /// The status in a feeder's reply; nil if it is not one.
  package init?(reply: JSONValue) {
    guard let receiver = reply["receiver"] else { return nil }
    self.receiver = ReceiverStatus(json: receiver)
    application = reply["application"].flatMap(ApplicationMetadata.init(json:))
    media = reply["media"].flatMap(MediaStatusUpdate.init(json:)).map {
      MediaStatusReducer.merge($0, into: nil)
    }
  }

  /// The current status of a session.
  package init(of session: Session) {
    self.init(
      receiver: session.receiverStatus, application: session.application, media: session.mediaStatus)
  }
}

/// A daemon that is there and does not run.
package struct DaemonSilence: Sendable {
  /// Since when, as far as that is known.
  let time: Duration
  /// Whether at least the part of it answered that says so.
  let hasAnswered: Bool

  package var words: String {
    hasAnswered
      ? SignsOfLife.Silence.words("the daemon", time)
      : "the daemon has not answered for \(Int(bounded: time.seconds)) s"
  }
}
