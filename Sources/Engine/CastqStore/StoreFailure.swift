package import CastqText

extension Failure {
  /// A failure of the database, with its exit code.
  package init(_ error: StoreError) {
    let (code, exit): (String, ExitStatus) =
      switch error {
      case .cannotCreate, .cannotCopy: ("cannot_create", .cannotCreate)
      case .busy, .queueInUse: ("busy", .tryAgain)
      case .tooNew: ("database_too_new", .configuration)
      case .tooOld: ("database_too_old", .inputOutput)
      case .tooEarly: ("database_too_old", .configuration)
      case .unknownDevice, .listGone, .ambiguousDevice, .noDevice, .noDefault:
        ("device_unknown", .deviceUnknown)
      case .unknownEntry: ("entry_unknown", .badData)
      case .stale: ("stale", .tryAgain)
      case .taken: ("taken", .badData)
      case .refused(let refusal): (refusal.code, refusal.isOfDevices ? .deviceUnknown : .badData)
      case .readOnly, .corrupt, .replaced, .full, .disk, .failed: ("database", .inputOutput)
      }
    self.init(code, error.message, hint: error.hint, remark: error.remark, exit: exit)
  }
}
