import CastProtocol
import Testing

@Suite("Messages of the device's platform")
struct ReceiverMessageTests {
  @Test(
    "a receiver request is written as this text",
    arguments: [
      (.getStatus, #"{"requestId":7,"type":"GET_STATUS"}"#),
      (
        .getAppAvailability(["CC1AD845", "0F5096E8"]),
        #"{"appId":["CC1AD845","0F5096E8"],"requestId":7,"type":"GET_APP_AVAILABILITY"}"#
      ),
      (
        .getAppAvailability(["cc1ad845", "com.example.App"]),
        #"{"appId":["CC1AD845","com.example.App"],"requestId":7,"type":"GET_APP_AVAILABILITY"}"#
      ),
      (
        .launch(LaunchRequest(applicationID: "cC1ad845")),
        #"{"appId":"CC1AD845","requestId":7,"supportedAppTypes":["WEB"],"type":"LAUNCH"}"#
      ),
      (
        .launch(LaunchRequest(applicationID: "CC1AD845")),
        #"{"appId":"CC1AD845","requestId":7,"supportedAppTypes":["WEB"],"type":"LAUNCH"}"#
      ),
      (
        .launch(LaunchRequest(applicationID: "CC1AD845", supportedTypes: [], credentialsType: "ios")),
        #"{"appId":"CC1AD845","requestId":7,"type":"LAUNCH"}"#
      ),
      (
        .launch(
          LaunchRequest(
            applicationID: "CC1AD845", language: "en-US", supportedTypes: [.web, .androidTV],
            credentials: "{}", credentialsType: "ios")),
        #"{"appId":"CC1AD845","appParams":{"launchCheckerParams":{"credentialsData":"#
          + #"{"credentials":"{}","credentialsType":"ios"}}},"language":"en-US","requestId":7,"#
          + #""supportedAppTypes":["WEB","ANDROID_TV"],"type":"LAUNCH"}"#
      ),
      (.stop(ApplicationSessionID("9f1f")), #"{"requestId":7,"sessionId":"9f1f","type":"STOP"}"#),
      (.stop(nil), #"{"requestId":7,"type":"STOP"}"#),
      (.setVolume(.level(0.35)), #"{"requestId":7,"type":"SET_VOLUME","volume":{"level":0.35}}"#),
      (.setVolume(.level(1)), #"{"requestId":7,"type":"SET_VOLUME","volume":{"level":1}}"#),
      (.setVolume(.level(1.2)), #"{"requestId":7,"type":"SET_VOLUME","volume":{"level":1}}"#),
      (.setVolume(.level(-3)), #"{"requestId":7,"type":"SET_VOLUME","volume":{"level":0}}"#),
      (.setVolume(.muted(true)), #"{"requestId":7,"type":"SET_VOLUME","volume":{"muted":true}}"#),
    ] as [(ReceiverRequest, String)])
  func writes(request: ReceiverRequest, text: String) {
    #expect(request.json(requestID: RequestID(7)).text == text)
  }

  @Test(
    "a receiver reply is read as this value",
    arguments: [
      (
        #"{"type":"LAUNCH_STATUS","launchRequestId":8,"status":"USER_PENDING_AUTHORIZATION"}"#, 8,
        .launchStatus(.userPendingAuthorization)
      ),
      (#"{"type":"LAUNCH_STATUS","requestId":8,"status":"USER_ALLOWED"}"#, 8, .launchStatus(.userAllowed)),
      (
        #"{"type":"LAUNCH_STATUS","requestId":0,"launchRequestId":8,"status":"X"}"#, 8,
        .launchStatus(.unknown("X"))
      ),
      (
        #"{"type":"LAUNCH_STATUS","launchRequestId":8}"#, 8,
        .unknown(type: "LAUNCH_STATUS", ["type": "LAUNCH_STATUS", "launchRequestId": 8])
      ),
      (
        #"{"type":"LAUNCH_ERROR","requestId":8,"reason":"NOT_FOUND"}"#, 8,
        .launchError(LaunchFailure(reason: "NOT_FOUND"))
      ),
      (
        #"{"responseType":"LAUNCH_ERROR","requestId":8.0,"reason":"NOT_ALLOWED","#
          + #""extendedError":"USER_NOT_ALLOWED","error":"Launch rejected"}"#, 8,
        .launchError(
          LaunchFailure(
            reason: "NOT_ALLOWED", extendedError: "USER_NOT_ALLOWED", message: "Launch rejected"))
      ),
      (
        #"{"type":"LAUNCH_ERROR","requestId":8,"reason":null,"error":{"code":4}}"#, 8,
        .launchError(LaunchFailure(reason: nil, message: #"{"code":4}"#))
      ),
      (
        #"{"type":"INVALID_REQUEST","requestId":9,"reason":"INVALID_SESSION_ID"}"#, 9,
        .invalidRequest(reason: "INVALID_SESSION_ID")
      ),
      (#"{"type":"INVALID_REQUEST","requestId":-1}"#, nil, .invalidRequest(reason: nil)),
      (
        #"{"requestId":7,"responseType":"GET_APP_AVAILABILITY","#
          + #""availability":{"CC1AD845":"APP_AVAILABLE","0F5096E8":"APP_UNAVAILABLE","A":"MAYBE","B":1}}"#,
        7,
        .appAvailability(["CC1AD845": .available, "0F5096E8": .unavailable, "A": .unknown("MAYBE")])
      ),
      (
        #"{"type":"RECEIVER_STATUS","requestId":3}"#, 3,
        .unknown(type: "RECEIVER_STATUS", ["type": "RECEIVER_STATUS", "requestId": 3])
      ),
      (
        #"{"type":"TOMORROW","requestId":"3"}"#, nil,
        .unknown(type: "TOMORROW", ["type": "TOMORROW", "requestId": "3"])
      ),
      (#"{"requestId":1.5}"#, nil, .unknown(type: "", ["requestId": 1.5])),
      ("null", nil, .unknown(type: "", nil)),
    ] as [(String, Int?, ReceiverReply.Content)])
  func reads(text: String, requestID: Int?, content: ReceiverReply.Content) throws {
    let reply = ReceiverReply.decode(try JSONValue(parsing: text))
    #expect(reply == ReceiverReply(requestID: requestID.map(RequestID.init), content: content))
  }

  @Test("a status is a full picture, with a number or without")
  func status() throws {
    let text = #"""
      {"type":"RECEIVER_STATUS","requestId":0,"status":{"applications":[{"appId":"CC1AD845","appType":"WEB",
      "displayName":"Default Media Receiver","iconUrl":"","isIdleScreen":false,
      "namespaces":[{"name":"urn:x-cast:com.google.cast.media"}],"sessionId":"s-1","statusText":"Ready",
      "transportId":"t-1","universalAppId":"CC1AD845"}],"isActiveInput":true,"isStandBy":false,"userEq":{},
      "volume":{"controlType":"attenuation","level":0.5,"muted":false,"stepInterval":0.05000000074505806}}}
      """#
    let reply = ReceiverReply.decode(try JSONValue(parsing: text))
    #expect(reply.requestID == nil)
    guard case .status(let status) = reply.content else {
      Issue.record("\(reply) is no status")
      return
    }
    let application = try #require(status.application)
    #expect(application.sessionID == ApplicationSessionID("s-1"))
    #expect(application.transportID == "t-1")
    #expect(application.namespaces == ["urn:x-cast:com.google.cast.media"])
    #expect(status.volume?.level == 0.5)
    #expect(status.isStandBy == false)

    let atRest = ReceiverReply.decode(["responseType": "RECEIVER_STATUS", "requestId": 4, "status": [:]])
    #expect(atRest.requestID == RequestID(4))
    guard case .status(let nothing) = atRest.content else {
      Issue.record("\(atRest) is no status")
      return
    }
    #expect(nothing.applications.isEmpty && nothing.volume == nil && nothing.isStandBy == nil)
  }
}
