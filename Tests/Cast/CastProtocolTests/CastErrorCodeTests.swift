import Testing

@testable import CastProtocol

@Suite("Codes of errors")
struct CastErrorCodeTests {
  @Test("every code has a word of its own, a number of its own or none, and advice")
  func codes() {
    let codes = CastError.Code.all
    #expect(Set(codes.map(\.description)).count == codes.count)
    let numbers = codes.compactMap(\.sdkNumber)
    #expect(Set(numbers).count == numbers.count)
    #expect(numbers == numbers.sorted())
    for code in codes {
      #expect(code.description.allSatisfy { $0 == "_" || $0.isNumber || ($0.isLowercase && $0.isASCII) })
      #expect(!code.advice.isEmpty && code.advice.last != ".", "\(code)")
    }
  }

  @Test(
    "the numbers are those of the iOS SDK, and nil for what only this one tells apart",
    arguments: [
      (CastError.Code.networkError, 1), (.deviceAuthenticationFailure, 3), (.replaced, 6),
      (.duplicateRequest, 8), (.channelNotConnected, 12), (.networkNotReachable, 17),
      (.alreadyInitialized, 19), (.invalidApplicationSessionID, 22), (.invalidResponse, 27),
      (.mediaError, 34),
      (.authenticationErrorReceived, 40), (.crlCheckFailed, 48), (.unsupportedFeature, 93),
      (.launchRequestCancelled, 103), (.applicationNotRunningWithNamespaceMismatched, 104),
      (.applicationNotRunningForJoin, 106),
      (.applicationNotRunningForJoinWhenReconnecting, 107), (.notInitialized, nil),
      (.applicationReplaced, nil),
      (.hostUnknown, nil), (.connectionRefused, nil), (.launchFailed, nil),
    ] as [(CastError.Code, Int?)])
  func numbers(code: CastError.Code, number: Int?) {
    #expect(code.sdkNumber == number)
  }

  @Test(
    "advice follows what the receiver said, where it said more than the code",
    arguments: [
      (CastError(.timeout, ""), "try again"),
      (CastError(.invalidRequest, "", receiverReason: "INVALID_MEDIA_SESSION_ID"), "let others control"),
      (CastError(.mediaLoadFailed, "", detailedErrorCode: 104), "content type"),
      (CastError(.mediaLoadFailed, "", detailedErrorCode: 905), "reach the address"),
      (CastError(.mediaLoadFailed, "", detailedErrorCode: 315), "segment format"),
      (CastError(.mediaError, "", detailedErrorCode: 903), "picture"),
      (CastError(.mediaLoadFailed, "", detailedErrorCode: .max), "content type is right"),
      (CastError(.timeout, "", detailedErrorCode: 903), "try again"),
    ])
  func advice(error: CastError, words: String) {
    #expect(error.advice.contains(words))
  }

  @Test("a detailed number has its name, both numbers of GENERIC too")
  func detailedName() {
    let names = [104, 909, 999, 7, nil].map {
      CastError(.mediaError, "", detailedErrorCode: $0).detailedErrorName
    }
    #expect(names == ["MEDIA_SRC_NOT_SUPPORTED", "GENERIC", "GENERIC", nil, nil])
  }
}
