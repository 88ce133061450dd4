import CastProtocol
import CastqFeeding
@testable import CastReceiverSim

extension Parser {
  /// The bytes as a stream that comes in two pieces, and as each thing that travels in frames.
  func parseFrames(_ bytes: [UInt8]) {
    let cut = bytes.first.map { Int($0) % (bytes.count + 1) } ?? 0
    var decoder = FrameDecoder()
    var whole = FrameDecoder()
    let pieces = (try? decoder.append(bytes[..<cut])).flatMap { first in
      (try? decoder.append(bytes[cut...])).map { first + $0 }
    }
    precondition(pieces == (try? whole.append(bytes)), "where the stream is cut decides nothing")
    for message in pieces ?? [] {
      if case .binary(let body) = message.payload { _ = try? DeviceAuthMessage(decoding: body) }
      guard let frame = try? FrameCodec.encode(message) else { continue }
      var again = FrameDecoder()
      precondition((try? again.append(frame)) == [message], "a message survives being sent")
    }
    _ = try? CastMessageCodec.decode(bytes)
    _ = try? DeviceAuthMessage(decoding: bytes)
    _ = try? CRLBundle(decoding: bytes)
    _ = try? CRLBody(decoding: bytes)
  }

  func parseJSON(_ bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes) else { return }
    let again = try? JSONValue(parsing: json.text)
    precondition(again == json, "what was read can be written")
    _ = ReceiverReply.decode(json)
    guard case .status(let updates) = MediaReply.decode(json).content else { return }
    var status: MediaStatus?
    for update in updates + updates { status = MediaStatusReducer.merge(update, into: status) }
  }

  func parseControl(_ bytes: [UInt8]) {
    _ = try? ControlRequest(parsing: bytes)
    _ = try? ControlReply(parsing: bytes)
    let line = String(decoding: bytes, as: UTF8.self)
    _ = try? SimControl(parsing: line)
    _ = try? ControlLine(parsing: line)
  }

  func parseVAST(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = VASTDocument.ads(in: AdElement(text))
    _ = VMAPDocument.breaks(text, duration: nil)
    _ = VMAPDocument.breaks(text, duration: 600)
    _ = VASTDocument.seconds(text)
  }

  func parseDNS(_ bytes: [UInt8]) {
    guard let message = try? DNSMessage(decoding: bytes) else { return }
    for compressing in [true, false] {
      guard let packet = try? message.encoded(compressing: compressing, limit: 65_535) else { continue }
      precondition((try? DNSMessage(decoding: packet)) == message, "a packet survives being sent")
    }
  }
}
