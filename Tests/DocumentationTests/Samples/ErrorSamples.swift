import CastSender

// sample: judge
/// One line for the person, and whether it makes sense to try again by itself.
func judge(_ error: CastError) -> (line: String, isWorthAnotherTry: Bool) {
  let isPassing: Set<CastError.Code> = [
    .networkError, .timeout, .networkNotReachable, .connectionRefused, .disconnected, .launchRequestCancelled,
  ]
  return ("\(error)", isPassing.contains(error.code))
}
// end sample
