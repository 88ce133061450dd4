/// Queries for missing data, for records that expire soon, and for waiting callers.
extension DiscoveredRecords {
  /// Maximum number of questions at a time; the rest must wait, so that a flood of fake devices does not cause a flood of queries.
  static let questionLimit = 64

  /// Questions for each link, without duplicates.
  typealias Questions = [DiscoveryLink: [DNSQuestion]]

  /// Schedules a query for the missing data of an instance, after a delay for the rest of an answer.
  mutating func planQuestions(about name: DNSName, at now: Tick, _ findings: inout Findings) {
    guard let instance = instances[name] else { return }
    let limit = isComplete(instance) ? 1 : DiscoveredInstance.askLimit
    let isLacking = !lack(of: name, instance).isEmpty
    update(name) { instance, _ in
      if !isLacking { instance.asked = 0 }
      instance.askAt =
        isLacking && instance.asked < limit ? instance.askAt ?? now + DiscoveredInstance.patience : nil
    }
    findings.wake(at: instances[name]?.askAt)
  }

  /// The records an instance needs to become a device, or to get an IPv4 address (protocol 13.1).
  private func lack(of name: DNSName, _ instance: DiscoveredInstance) -> [DNSQuestion] {
    var questions: [DNSQuestion] = []
    if instance.text == nil { questions.append(DNSQuestion(name: name, type: .txt)) }
    if case .failure = instance.text?.value { return [] }
    guard let host = instance.place?.value.host else {
      return questions + [DNSQuestion(name: name, type: .srv)]
    }
    if hosts[host]?.hasIPv4 != true { questions.append(DNSQuestion(name: host, type: .a)) }
    if hosts[host]?.addresses.isEmpty != false { questions.append(DNSQuestion(name: host, type: .aaaa)) }
    return questions
  }

  /// The questions that are due. The oldest instances come first.
  mutating func takeQuestions(at now: Tick, isRefreshing: Bool) -> Questions {
    var questions: Questions = [:]
    var count = 0
    let due = instances.filter { _, instance in
      instance.isDue(at: now, isRefreshing: isRefreshing)
        || isRefreshing && instance.place.flatMap { hosts[$0.value.host]?.isDue(at: now) } == true
    }
    for (name, _) in due.sorted(by: { $0.value.serial < $1.value.serial }) {
      guard count < Self.questionLimit else { break }
      count += takeLack(of: name, at: now, &questions)
      if isRefreshing { count += takeRefreshes(of: name, at: now, &questions) }
    }
    return questions
  }

  private mutating func takeLack(of name: DNSName, at now: Tick, _ questions: inout Questions) -> Int {
    guard let instance = instances[name], let askAt = instance.askAt, askAt <= now else { return 0 }
    var lacking = lack(of: name, instance)
    if instance.asked == 0 {
      for index in lacking.indices { lacking[index].wantsUnicastReply = true }
    }
    let limit = isComplete(instance) ? 1 : DiscoveredInstance.askLimit
    update(name) { instance, _ in
      instance.asked += 1
      // Again after 1, 2 and 4 s.
      instance.askAt = instance.asked < limit ? now + .seconds(1 << (instance.asked - 1)) : nil
    }
    return Self.add(lacking, on: instance.links, &questions)
  }

  private mutating func takeRefreshes(of name: DNSName, at now: Tick, _ questions: inout Questions) -> Int {
    var due: [DNSQuestion] = []
    var pointers: [DiscoveredInstance.Pointer] = []
    update(name) { instance, host in
      for pointer in instance.pointers.keys where instance.pointers[pointer]?.takeRefresh(at: now) == true {
        pointers.append(pointer)
      }
      if instance.place?.life.takeRefresh(at: now) == true { due.append(DNSQuestion(name: name, type: .srv)) }
      if instance.text?.life.takeRefresh(at: now) == true { due.append(DNSQuestion(name: name, type: .txt)) }
      if let place = instance.place?.value, host?.takeRefresh(at: now) == true {
        due += [DNSQuestion(name: place.host, type: .a), DNSQuestion(name: place.host, type: .aaaa)]
      }
    }
    for pointer in pointers {
      _ = Self.add([DNSQuestion(name: pointer.service, type: .ptr)], on: [pointer.link], &questions)
    }
    return Self.add(due, on: instances[name]?.links ?? [], &questions)
  }

  /// All questions about a device's endpoint, for a waiting caller; each at most once a second (RFC 6762, 5.2).
  mutating func questions(about uniqueID: String, at now: Tick) -> Questions {
    var questions: Questions = [:]
    for (name, instance) in instances where instance.record?.uniqueID == uniqueID {
      if let wantedAt = instance.wantedAt, now - wantedAt < .seconds(1) { continue }
      update(name) { instance, _ in
        instance.wantedAt = now
        instance.isAwaited = true
      }
      var asked = [DNSQuestion(name: name, type: .srv)]
      if let host = instance.place?.value.host {
        asked += [DNSQuestion(name: host, type: .a), DNSQuestion(name: host, type: .aaaa)]
      }
      _ = Self.add(asked, on: instance.links, &questions)
    }
    return questions
  }

  /// The devices with waiting callers that have announced their endpoint.
  mutating func takeAwaited(at now: Tick) -> [Device] {
    instances.filter(\.value.isAwaited).keys.compactMap { name in
      guard let device = instances[name].flatMap({ self.device(of: $0) }), isFresh(device, at: now) else {
        return nil
      }
      update(name) { instance, _ in instance.isAwaited = false }
      return device
    }
  }

  private static func add(
    _ asked: [DNSQuestion], on links: Set<DiscoveryLink>, _ questions: inout Questions
  ) -> Int {
    for link in links {
      for question in asked where questions[link]?.contains(question) != true {
        questions[link, default: []].append(question)
      }
    }
    return asked.count
  }

  /// The instances that a link's hosts need not announce again, because they did so recently (RFC 6762, 7.1).
  func knownAnswers(of services: [DNSName], on link: DiscoveryLink, at now: Tick) -> [DNSRecord] {
    let told = instances.flatMap { name, instance in
      services.compactMap { service in
        instance.pointers[.init(service: service, link: link)]?.knownSeconds(at: now)
          .map { (instance.serial, DNSRecord(name: service, data: .ptr(name), timeToLive: $0)) }
      }
    }
    return told.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The next time at which a record expires or must be queried; nil without records.
  func nextDeadline(isRefreshing: Bool) -> Tick? {
    var next: Tick?
    func consider(_ tick: Tick?) {
      if let tick { next = min(next ?? tick, tick) }
    }
    func consider(_ life: RecordLifetime?) {
      consider(life?.expires)
      if isRefreshing { consider(life?.nextRefresh) }
    }
    for instance in instances.values {
      consider(instance.askAt)
      for life in instance.pointers.values { consider(life) }
      consider(instance.place?.life)
      consider(instance.text?.life)
    }
    for host in hosts.values {
      for life in host.addresses.values { consider(life) }
    }
    return next
  }
}
