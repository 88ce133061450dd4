import CastProtocol
import Testing

@Suite("Messages of virtual connections and of the heartbeat")
struct ConnectionMessageTests {
  static let identity = SenderIdentity(userAgent: "castq/1.0", version: "1.0.0")
  static let senderInfo =
    #""senderInfo":{"browserVersion":"1.0.0","connectionType":1,"platform":6,"sdkType":2,"version":"1.0.0"}"#

  @Test(
    "a connection message is written as this text",
    arguments: [
      (
        .connect(.strong, identity),
        #"{"connType":0,"origin":{},\#(senderInfo),"type":"CONNECT","userAgent":"castq/1.0"}"#
      ),
      (
        .connect(.weak, identity),
        #"{"connType":1,"origin":{},\#(senderInfo),"type":"CONNECT","userAgent":"castq/1.0"}"#
      ),
      (.connect(.invisible, nil), #"{"connType":2,"origin":{},"type":"CONNECT"}"#),
      (.close(reasonCode: ConnectionMessage.closedBySelf), #"{"reasonCode":5,"type":"CLOSE"}"#),
      (.close(reasonCode: nil), #"{"type":"CLOSE"}"#),
    ] as [(ConnectionMessage, String)])
  func writes(message: ConnectionMessage, text: String) {
    #expect(message.json.text == text)
    #expect(ConnectionMessage.decode(message.json) == message)
  }

  @Test(
    "a connection message is read liberally",
    arguments: [
      (#"{"type":"CONNECT"}"#, .connect(.strong, nil)),
      (#"{"type":"CONNECT","connType":2.0,"origin":null}"#, .connect(.invisible, nil)),
      (#"{"type":"CLOSE","origin":{}}"#, .close(reasonCode: nil)),
      (#"{"type":"CLOSE","reasonCode":"x"}"#, .close(reasonCode: nil)),
      (#"{"type":"CONNECT","connType":7}"#, .unknown(type: "CONNECT", ["type": "CONNECT", "connType": 7])),
      (#"{"type":"CONNECTED"}"#, .unknown(type: "CONNECTED", ["type": "CONNECTED"])),
      ("[]", .unknown(type: "", [])),
    ] as [(String, ConnectionMessage)])
  func reads(text: String, message: ConnectionMessage) throws {
    let json = try JSONValue(parsing: text)
    #expect(ConnectionMessage.decode(json) == message)
    if case .unknown = message { #expect(message.json == json) }
  }

  @Test(
    "a heartbeat is a bare type; anything else is none",
    arguments: [
      (#"{"type":"PING"}"#, .ping), (#"{"type":"PONG"}"#, .pong), (#"{"requestId":4,"type":"PING"}"#, .ping),
      (#"{"type":"ping"}"#, nil), ("{}", nil), ("3", nil), (#"{"type":1}"#, nil),
    ] as [(String, HeartbeatMessage?)])
  func heartbeat(text: String, message: HeartbeatMessage?) throws {
    #expect(HeartbeatMessage.decode(try JSONValue(parsing: text)) == message)
    if let message { #expect(message.json == ["type": .string(message.rawValue)]) }
  }
}
