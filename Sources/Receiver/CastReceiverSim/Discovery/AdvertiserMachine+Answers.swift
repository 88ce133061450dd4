import CastMulticast
import CastProtocol
import NIOCore

/// Questions and their answers (RFC 6762, 5 to 7).
extension AdvertiserMachine {
  /// Least time between two multicasts of a record (RFC 6762, 6).
  private static let repetition = Duration.seconds(1)
  /// The same in defence of a name.
  private static let defence = Duration.milliseconds(250)
  /// Time to wait for the rest of a truncated query (RFC 6762, 7.2).
  private static let patience = Duration.milliseconds(400)...Duration.milliseconds(500)

  mutating func asked(_ query: DNSMessage, on link: MulticastLink, by source: SocketAddress) {
    guard source.port == port else { return answerLegacy(query, on: link, to: source) }
    // Known answers may span several datagrams.
    if query.questions.isEmpty {
      if truncated.append(query.answers, from: source), query.isTruncated { extend(source) }
      return
    }
    guard query.isTruncated, let number = truncated.hold(query, on: link, from: source) else {
      return answer(query, on: link, to: source)
    }
    actions.append(.startTimer(.truncated(number), after: random(Self.patience)))
  }

  private mutating func extend(_ source: SocketAddress) {
    guard let number = truncated.number(of: source) else { return }
    actions.append(.startTimer(.truncated(number), after: random(Self.patience)))
  }

  /// Answers a truncated query when no more datagrams of it arrive.
  mutating func completed(_ number: Int) {
    guard let held = truncated.release(number), phase.answers else { return }
    answer(held.query, on: held.link, to: held.source)
  }

  /// The parts that questions ask for and the querier does not know.
  private func parts(
    for questions: [DNSQuestion], known: [DNSRecord], _ records: AdvertisedRecords
  ) -> [AdvertisedPart] {
    var seen: Set<AdvertisedPart> = []
    return questions.flatMap(records.parts).filter {
      seen.insert($0).inserted && !records.isKnown($0, from: known)
    }
  }

  private mutating func answer(_ query: DNSMessage, on link: MulticastLink, to source: SocketAddress) {
    let records = records(on: link)
    let unicast = parts(for: query.questions.filter(\.wantsUnicastReply), known: query.answers, records)
    let multicast = parts(
      for: query.questions.filter { !$0.wantsUnicastReply }, known: query.answers, records)
    if !unicast.isEmpty {
      let additions = records.additions(to: unicast).filter { !records.isKnown($0, from: query.answers) }
      for bytes in AdvertiserResponse(records: records).datagrams(unicast, additional: additions) {
        send(bytes, on: link, to: source)
      }
    }
    // Records not multicast for a quarter of their time to live are multicast as well (RFC 6762, 5.4).
    let stale = unicast.filter { part in
      guard let said = voices[link]?.said[part] else { return true }
      return now - said >= .seconds(Int(records.timeToLive(part))) / 4
    }
    schedule(multicast + stale, on: link, isDefence: !query.authorities.isEmpty)
  }

  /// Answers a resolver that speaks ordinary DNS only, at once.
  private mutating func answerLegacy(
    _ query: DNSMessage, on link: MulticastLink, to source: SocketAddress
  ) {
    let records = records(on: link)
    let parts = parts(for: query.questions, known: query.answers, records)
    guard !parts.isEmpty,
      let bytes = AdvertiserResponse(records: records).legacyDatagram(parts, to: query)
    else { return }
    send(bytes, on: link, to: source)
  }

  private mutating func schedule(_ parts: [AdvertisedPart], on link: MulticastLink, isDefence: Bool) {
    guard !parts.isEmpty, var voice = voices[link] else { return }
    let pause = isDefence ? Self.defence : Self.repetition
    let delay = !isDefence && parts.contains(where: \.isShared) ? random(answerDelay) : .zero
    // The answers to one query are sent together.
    let earliest = parts.compactMap { voice.said[$0] }.max().map { $0 + pause } ?? now
    let due = max(now + delay, earliest)
    for part in parts { voice.due[part] = min(voice.due[part] ?? due, due) }
    voices[link] = voice
    sayDue(on: link)
  }

  /// Sends what is due on a link, and starts the timer for the rest.
  mutating func sayDue(on link: MulticastLink) {
    guard let voice = voices[link], phase.answers else { return }
    let records = records(on: link)
    // Parts withdrawn in the meantime are not sent.
    let order = [.enumeration] + records.parts
    let parts = order.filter { part in
      [voice.due[part], voice.repeats[part]].contains { $0.map { $0 <= now } ?? false }
    }
    if !parts.isEmpty { say(parts, on: link, additional: records.additions(to: parts)) }
    guard var rest = voices[link] else { return }
    rest.due = rest.due.filter { $0.value > now }
    rest.repeats = rest.repeats.filter { $0.value > now }
    voices[link] = rest
    if let next = (Array(rest.due.values) + Array(rest.repeats.values)).min() {
      actions.append(.startTimer(.answers(link), after: next - now))
    } else {
      actions.append(.cancelTimer(.answers(link)))
    }
  }
}
