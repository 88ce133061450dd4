import CastProtocol
import CastSender
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText

/// The replies to `watch`: a greeting, then the status of each watched device, now and after each change.
struct StatusWatch: Sendable {
  /// The devices of the database.
  let devices: @Sendable () async -> [DeviceID]
  /// The one device that this process feeds; nil if it feeds all.
  let only: DeviceID?
  let board: StatusBoard
  /// Names this run of the process; a client that meets another one has missed changes.
  let boot: String
  let time: TimeSource
  /// Performs a command as the control socket does.
  let reply: @Sendable (ControlRequest) async -> ControlReply

  /// The replies to a request, each made when the one before it has been sent; nil if the request is no `watch`.
  func replies(to request: ControlRequest) -> AsyncStream<ControlReply>? {
    guard case .watch = request.command else { return nil }
    let device = request.device == DeviceID(0) ? only : request.device
    let marks = board.watch(only: device)
    let greeting = ControlReply.done(["boot": .string(boot), "at": .string(RFC3339.text(now))])
    let lines = Lines(watch: self, marks: marks, greeting: greeting)
    return AsyncStream {
      await lines.next()
    } onCancel: {
      marks.end()
    }
  }

  private var now: WallTime { WallTime(milliseconds: time.wallMilliseconds()) }

  /// The status of a device. What its application reports is nil where the application has not reported anything.
  fileprivate func status(of device: DeviceID) async -> ControlReply {
    let outlook = await reply(ControlRequest(device: device, command: .outlook))
    guard case .done(let waits) = outlook else { return outlook }
    let status = await reply(ControlRequest(device: device, command: .status))
    var document: JSONValue = [
      "device": .integer(device.rawValue), "at": .string(RFC3339.text(now)), "feeding": true,
      "connection": "connected", "receiver": .null, "application": .null, "media": .null, "outlook": waits,
    ]
    func changed(_ members: JSONValue) -> JSONValue { members.keeping(document.object ?? [:]) }
    switch status {
    case .done(let seen):
      document = changed(seen)
      // A status with too many words for a line is one without its media.
      if document.text.utf8.count > ControlRequest.lineLimit - 64 {
        document = changed(["media": .null])
      }
    case .failed(let failure) where failure.code == Failure.notFeeding:
      document = changed(["feeding": false, "connection": .null])
    case .failed(let failure) where failure.code == Failure.statusUnknown: break
    case .failed: document = changed(["connection": .string(Outlook(json: waits).connection.rawValue)])
    }
    return .done(document)
  }

  /// One client's replies, in order.
  private actor Lines {
    let watch: StatusWatch
    let marks: StatusMarks
    var greeting: ControlReply?

    init(watch: StatusWatch, marks: StatusMarks, greeting: ControlReply) {
      (self.watch, self.marks, self.greeting) = (watch, marks, greeting)
    }

    func next() async -> ControlReply? {
      if let greeting {
        self.greeting = nil
        marks.add(await watch.devices())
        return greeting
      }
      guard let device = await marks.next() else { return nil }
      return await watch.status(of: device)
    }
  }
}

extension Failure {
  /// The code of a device whose application has not reported its media yet.
  static let statusUnknown = "status_unknown"
}
