package import CastProtocol
import CastqFeeding
import CastqSchedule
import CastqStore
package import CastqText

/// The reason of something, as a document and in words.
package struct WhyReply {
  package let json: JSONValue
  /// What the words are about; nil where they say it.
  package var heading: String?
  /// Not sanitised.
  package let lines: [String]
  /// What there is to know beside; nil is nothing.
  package var remark: FaceWords?
}

/// Says why something is, was or will be on the screen.
package struct WhyRun {
  package let workspace: Workspace
  private let global: CallOptions
  /// Nil is the zone of the site.
  private let tz: NamedZone?

  package init(_ global: CallOptions, tz: NamedZone?) throws(Failure) {
    try self.init(global, tz: tz, Workspace(global, isReader: true))
  }

  package init(_ global: CallOptions, tz: NamedZone?, _ workspace: Workspace) throws(Failure) {
    try global.checkOne()
    (self.global, self.tz, self.workspace) = (global, tz, workspace)
  }

  /// - Parameter question: nil is what a device shows now.
  package func reply(_ question: WhyQuestion?) async throws(Failure) -> WhyReply {
    switch question {
    case nil: return try await explain(nil)
    case .moment(let time): return try await explain(time)
    case .play(let number):
      let look = try ScheduleLook(workspace, SiteZone(global))
      return try WhyPlay(look, zone(look)).reply(number)
    case .entry(let entry):
      let look = try ScheduleLook(workspace, SiteZone(global))
      return try WhyEntry(look, zone(look)).reply(entry)
    }
  }

  private func zone(_ look: ScheduleLook) throws(Failure) -> NamedZone {
    if let tz { return tz }
    return try NamedZone(look.site)
  }

  /// - Parameter time: nil is now.
  private func explain(_ time: TimeText?) async throws(Failure) -> WhyReply {
    let (look, device) = try await ScheduleLook.alone(global.meantDevice(), global, workspace)
    let zone = try zone(look)
    let now = WallTime.now
    let moment = time?.resolved(now: now, sense: .last, utcOffset: zone.zone.utcOffset)
    let screen = moment == nil ? try await ScreenNow(device, look, global) : nil
    let isToCome = moment.map { now < $0 } ?? false
    let there = isToCome ? await look.withPauses([device], global)[0] : screen?.device ?? device
    let answer = try WhyAnswer(
      moment ?? now, on: there, in: look, now: now, shown: screen?.shown ?? .due)
    let words = PlanWording(look.schedule.book, zone: zone.rules)
    let past = TimelineWording(zone: zone.rules, now: now)
    var document = answer.json(words, past)
    if case .object(var members) = document {
      members["answer"] = SpokenAnswer(document, now: now).json
      document = .object(members)
    }
    var reply = WhyReply(
      json: document, heading: answer.heading(words), lines: answer.lines(words, past))
    if case .nothing? = screen?.shown {
      let words = "no daemon runs, which plays rules and queues"
      reply.remark = FaceWords(typed: "\(words); 'castq daemon' starts it", paged: words)
    }
    return reply
  }
}
