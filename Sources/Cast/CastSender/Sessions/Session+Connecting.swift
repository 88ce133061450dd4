import CastProtocol
import Logging
import Synchronization

// Connections: one at a time, numbered, each used once.

extension Session {
  /// Starts a connection attempt; its events carry its number.
  func call(_ endpoint: DeviceEndpoint, isRetry: Bool, _ early: EarlyLaunch?) {
    attempt += 1
    let (number, device, previous) = (attempt, device, opening)
    opening = Task { [transport, resolver, options, inbox, time] in
      // Waiting for the newest attempt waits for all of them.
      await previous?.value
      let line = Line(
        number: number, transport: transport, timeout: options.connectTimeout, early: early, inbox: inbox,
        time: time)
      var place = device
      place.endpoint = endpoint
      var hasAnotherPlace = !isRetry
      if let resolver {
        if let first = await resolver.firstEndpoint(of: place) {
          place = line.move(place, to: first)
          hasAnotherPlace = true
        } else if isRetry {
          // An outdated endpoint is not worth an attempt if the resolver knows a newer one (protocol 14.6).
          place = await line.locate(place, resolver)
        }
      }
      guard let error = await line.open(place) else { return }
      if hasAnotherPlace, let resolver, !Task.isCancelled {
        let newPlace = await line.locate(place, resolver)
        if newPlace.endpoint != place.endpoint {
          guard let error = await line.open(newPlace) else { return }
          return line.fail(error)
        }
      }
      line.fail(error)
    }
  }

  /// Ignores all further events of the current connection or attempt.
  func hangUp() {
    opening?.cancel()
    // The end of the loop closes an open connection; inputs that arrived before are still processed.
    guard !machine.isEnded else { return }
    attempt += 1
    if let connection { close(connection) }
    connection = nil
  }

  /// Closes a connection without waiting; the end of the session waits.
  func close(_ connection: any TransportConnection) {
    farewell = Task { [farewell] in
      await connection.close()
      await farewell?.value
    }
  }

  /// Adopts a new endpoint or new properties of the device.
  func adopt(_ device: Device) {
    var device = device
    switch options.trust.policy {
    case .off: break
    case .pin, .roots:
      // An announcement proves nothing: a session keeps the identity that its device had at the start.
      device.friendlyName = self.device.friendlyName ?? device.friendlyName
      device.capabilities = self.device.capabilities ?? device.capabilities
      device.modelName = self.device.modelName ?? device.modelName
    }
    guard device != self.device, state != .ended else { return }
    let hasMoved = device.endpoint != self.device.endpoint
    setDevice(device)
    if hasMoved {
      logger.info("device moved", metadata: ["cast.address": "\(device.endpoint)"])
      handle(.located(device.endpoint))
    }
  }

  func setDevice(_ device: Device) {
    front.withLock { $0.picture.device = device }
    listeners.notify { $0.session(self, didUpdate: device) }
  }
}

/// One connection attempt.
private struct Line: Sendable {
  let number: Int
  let transport: any Transport
  let timeout: Duration
  let early: EarlyLaunch?
  let inbox: AsyncStream<Session.Input>.Continuation
  let time: TimeSource

  func locate(_ device: Device, _ resolver: any DeviceResolver) async -> Device {
    let found = await resolver.locate(device)
    if found != device { inbox.yield(.located(found)) }
    return found
  }

  /// The device at an endpoint, which the session adopts.
  func move(_ device: Device, to endpoint: DeviceEndpoint) -> Device {
    guard device.endpoint != endpoint else { return device }
    var moved = device
    moved.endpoint = endpoint
    inbox.yield(.located(moved))
    return moved
  }

  /// - Returns: the error; nil once connected.
  func open(_ device: Device) async -> CastError? {
    let name = device.friendlyName ?? device.endpoint.description
    do throws(CastError) {
      // Events are stamped here: the session may process them much later.
      let connection = try await transport.open(
        device.endpoint, name: name, timeout: timeout, early: early
      ) { [inbox, number, time] in
        inbox.yield(.transport(number, $0, at: time.now()))
      }
      // After the end of the session, nobody else closes the connection.
      if case .terminated = inbox.yield(.opened(number, connection)) { await connection.close() }
      return nil
    } catch {
      return error
    }
  }

  func fail(_ error: CastError) {
    inbox.yield(.transport(number, .closed(.failed(error)), at: time.now()))
  }
}
