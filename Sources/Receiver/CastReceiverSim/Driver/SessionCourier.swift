import CastProtocol
import CastTLS
import NIOCore
import NIOPosix

/// Transfers a stored session to another device, as the cloud does: launches the same application there and lets it resume
/// (protocol 6.9, 14.7).
struct SessionCourier {
  /// Time limit for the device to resume.
  private static let patience = TimeAmount.seconds(30)
  private static let launchNumber = 1
  private static let resumeNumber = 2

  let stored: StoredSession

  private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// Returns when the session plays there.
  func deliver(toHost host: String, port: Int, on group: any EventLoopGroup) async throws(SimControlError) {
    let place = "\(host):\(port)"
    do {
      let tls = try TLSContext.client()
      let connection = try await ClientBootstrap(group: group)
        .connectTimeout(.seconds(10))
        .connect(host: host, port: port) { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(TLSHandler(context: tls, role: .client))
            return try Connection(wrappingChannelSynchronously: channel)
          }
        }
      let channel = connection.channel
      let limit = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
      defer { limit.cancel() }
      try await connection.executeThenClose { try await converse($0, $1) }
    } catch {
      throw error as? SimControlError
        ?? SimControlError(description: "the session could not be brought to \(place): \(error)")
    }
  }

  private func converse(
    _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) async throws {
    func send(_ body: JSONValue, _ namespace: Namespace, to destination: EndpointID) async throws {
      let message = CastMessage(
        source: "sender-cloud", destination: destination, namespace: namespace, json: body)
      try await outbound.write(ByteBuffer(bytes: FrameCodec.encode(message)))
    }
    try await send(["type": "CONNECT"], .connection, to: .receiver)
    let launch: JSONValue = [
      "type": "LAUNCH", "requestId": .integer(Int64(Self.launchNumber)), "appId": .string(stored.appID),
      "supportedAppTypes": ["WEB", "ANDROID_TV"],
    ]
    try await send(launch, .receiver, to: .receiver)
    var decoder = FrameDecoder()
    var transport: EndpointID?
    for try await bytes in inbound {
      for message in try decoder.append(bytes.readableBytesView) {
        guard let body = message.json else { continue }
        if body["type"] == "PING" {
          try await send(["type": "PONG"], .heartbeat, to: message.source)
        } else if let transport, message.source == transport {
          if try hasResumed(body) { return }
        } else if transport == nil, let found = try launched(body) {
          transport = found
          try await send(["type": "CONNECT"], .connection, to: found)
          let resume: JSONValue = [
            "type": "RESUME_SESSION", "requestId": .integer(Int64(Self.resumeNumber)),
            "sessionState": stored.state,
          ]
          try await send(resume, .media, to: found)
        }
      }
    }
    throw SimControlError(description: "the other device hung up before it played")
  }

  /// The application's endpoint; nil until the application is complete.
  private func launched(_ body: JSONValue) throws(SimControlError) -> EndpointID? {
    if body["type"] == "LAUNCH_ERROR" {
      throw SimControlError(
        description: "the other device did not launch \(stored.appID): \(body["reason"]?.string ?? "")")
    }
    guard body["type"] == "RECEIVER_STATUS", let application = body["status"]?["applications"]?.array?.first,
      [application["appId"]?.string, application["universalAppId"]?.string].contains(stored.appID),
      application["namespaces"]?.array?.contains(where: { $0["name"]?.string == Namespace.media.rawValue })
        == true
    else { return nil }
    return application["transportId"]?.string.map { EndpointID($0) }
  }

  private func hasResumed(_ body: JSONValue) throws(SimControlError) -> Bool {
    let type = body["type"]?.string ?? ""
    if type == "CLOSE" {
      throw SimControlError(description: "the application ended on the other device before it played")
    }
    guard body["requestId"]?.int == Self.resumeNumber else { return false }
    guard type == "MEDIA_STATUS" else {
      let reason = body["reason"]?.string.map { " \($0)" } ?? ""
      throw SimControlError(description: "the other device did not resume: \(type)\(reason)")
    }
    // Some firmware numbers the LOADING status, which is not the answer (protocol 21.17).
    return body["status"]?.array?.first?["extendedStatus"] == nil
  }
}
