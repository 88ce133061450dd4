import CastSender

// sample: judge
/// A message for the person, and whether an automatic retry makes sense.
func judge(_ error: CastError) -> (line: String, isWorthAnotherTry: Bool) {
  let isPassing: Set<CastError.Code> = [
    .networkError, .timeout, .networkNotReachable, .connectionRefused, .disconnected, .launchRequestCancelled,
  ]
  return ("\(error)", isPassing.contains(error.code))
}
// end sample
