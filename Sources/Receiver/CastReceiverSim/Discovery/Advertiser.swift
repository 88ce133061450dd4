package import CastMulticast
import CastProtocol
package import NIOCore

/// A receiver's presence on the network: runs its responder on real sockets.
package final class Advertiser: Sendable {
  private let driver: NIOLoopBound<AdvertiserDriver>
  private let loop: any EventLoop
  private let transport: MulticastTransport
  private let options: AdvertisingOptions
  /// Links that are unavailable; the receiver is advertised on the others.
  package let failures: [MulticastLink: MulticastError]

  /// The links it is advertised on.
  package var links: Set<MulticastLink> { transport.links }

  private init(
    driver: NIOLoopBound<AdvertiserDriver>, loop: any EventLoop, transport: MulticastTransport,
    options: AdvertisingOptions, failures: [MulticastLink: MulticastError]
  ) {
    self.driver = driver
    self.loop = loop
    self.transport = transport
    self.options = options
    self.failures = failures
  }

  /// Begins to claim the receiver's name and to announce it; returns before that is done.
  ///
  /// - Parameter bind: the address the receiver listens on.
  package static func start(
    _ receiver: AdvertisedReceiver, bind: String, options: AdvertisingOptions, seed: UInt64,
    on loop: any EventLoop
  ) async throws -> Advertiser {
    let places = try options.places(bind: bind, in: try NetworkInterface.all())
    let driver = try await loop.submit {
      let machine = AdvertiserMachine(
        receiver: receiver, port: options.port, seed: seed, answerDelay: options.answerDelay)
      return NIOLoopBound(AdvertiserDriver(machine: machine, loop: loop), eventLoop: loop)
    }.get()
    let (transport, failures) = await MulticastTransport.open(
      links: places.map(\.link), port: options.port, group: loop,
      deliver: { driver.value.handle(.received($0.bytes, on: $0.link, from: $0.source)) })
    let open = places.filter { transport.links.contains($0.link) }
    guard !open.isEmpty else { throw AdvertisingError.multicast(places.compactMap { failures[$0.link] }) }
    let advertiser = Advertiser(
      driver: driver, loop: loop, transport: transport, options: options, failures: failures)
    await advertiser.tell {
      $0.transport = transport
      $0.handle(.start(open))
    }
    return advertiser
  }

  /// Changes the advertised receiver; what differs is announced at once. Changes apply in the order of the calls.
  package func change(_ change: @escaping @Sendable (inout AdvertisedReceiver) -> Void) {
    let driver = driver
    loop.execute { driver.value.update(change) }
  }

  /// Like `change`, but returns when the change is announced.
  package func update(_ change: @escaping @Sendable (inout AdvertisedReceiver) -> Void) async {
    await tell { $0.update(change) }
  }

  /// Silences the receiver without a goodbye, as a loss of power or network does; or ends the silence. Does not wait, and keeps the
  /// order of the calls of `change`.
  package func setSilent(_ isSilent: Bool) {
    let driver = driver
    loop.execute { driver.value.handle(.silence(isSilent)) }
  }

  /// Says goodbye and closes the sockets.
  package func stop() async {
    await tell { $0.handle(.stop) }
    await transport.close()
    // The transport and the driver retain each other.
    await tell { $0.transport = nil }
  }

  private func tell(_ work: @escaping @Sendable (AdvertiserDriver) -> Void) async {
    let driver = driver
    await withCheckedContinuation { continuation in
      loop.execute {
        work(driver.value)
        continuation.resume()
      }
    }
  }
}

/// Carries out the actions of the responder. Confined to its event loop.
final class AdvertiserDriver {
  fileprivate(set) var machine: AdvertiserMachine
  fileprivate var transport: MulticastTransport?
  private let loop: any EventLoop
  private let started = NIODeadline.now()
  private var timers: [AdvertiserMachine.TimerID: Scheduled<Void>] = [:]

  init(machine: AdvertiserMachine, loop: any EventLoop) {
    self.machine = machine
    self.loop = loop
  }

  func update(_ change: (inout AdvertisedReceiver) -> Void) {
    var receiver = machine.receiver
    change(&receiver)
    handle(.update(receiver))
  }

  func handle(_ event: AdvertiserMachine.Event) {
    let now = Tick(.nanoseconds((NIODeadline.now() - started).nanoseconds))
    for action in machine.handle(event, at: now) {
      switch action {
      case .send(let bytes, let link, nil): transport?.send(bytes, on: link)
      case .send(let bytes, let link, let address?): transport?.send(bytes, to: address, on: link)
      case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
      case .startTimer(let timer, let delay): start(timer, after: delay)
      }
    }
  }

  private func start(_ timer: AdvertiserMachine.TimerID, after delay: Duration) {
    timers[timer]?.cancel()
    let driver = NIOLoopBound(self, eventLoop: loop)
    timers[timer] = loop.scheduleTask(in: TimeAmount(delay)) {
      driver.value.timers[timer] = nil
      driver.value.handle(.timerFired(timer))
    }
  }
}
