/// The documents of the API that have a name.
enum APISchema: String, CaseIterable {
  case problem = "Problem", device = "Device", devices = "Devices"
  case status = "Status", statuses = "Statuses", entry = "Entry"
  case queue = "Queue", play = "Play", history = "History"
  case report = "Report", segment = "Segment", plan = "Plan"
  case why = "Why", rule = "Rule", rules = "Rules"
  case ruleChange = "RuleChange", exception = "Exception", command = "Command"
  case accepted = "Accepted", enqueue = "Enqueue", enqueued = "Enqueued"
  case move = "Move", moved = "Moved", announcement = "Announcement"
  case check = "Check", previewRequest = "PreviewRequest", preview = "Preview"
  case library = "Library", libraryItem = "LibraryItem"
  case newProgramme = "NewProgramme", madeProgramme = "MadeProgramme", programmeFiles = "ProgrammeFiles"
  case restore = "Restore", restored = "Restored", cleared = "Cleared"

  var shape: Schema {
    switch self {
    case .problem: Self.problemShape
    case .device: Self.deviceShape
    case .devices: Self.devicesShape
    case .status: Self.statusShape
    case .statuses: Self.statusesShape
    case .entry: Self.entryShape
    case .queue: Self.queueShape
    case .play: Self.playShape
    case .history: Self.historyShape
    case .report: Self.reportShape
    case .segment: Self.segmentShape
    case .plan: Self.planShape
    case .why: Self.whyShape
    case .rule: Self.ruleShape
    case .rules: Self.rulesShape
    case .ruleChange: Self.ruleChangeShape
    case .exception: Self.exceptionShape
    case .command: Self.commandShape
    case .accepted: Self.acceptedShape
    case .enqueue: Self.enqueueShape
    case .enqueued: Self.enqueuedShape
    case .move: Self.moveShape
    case .moved: Self.movedShape
    case .announcement: Self.announcementShape
    case .check: Self.checkShape
    case .previewRequest: Self.previewRequestShape
    case .preview: Self.previewShape
    case .library: Self.libraryShape
    case .libraryItem: Self.libraryItemShape
    case .newProgramme: Self.newProgrammeShape
    case .madeProgramme: Self.madeProgrammeShape
    case .programmeFiles: Self.programmeFilesShape
    case .restore: Self.restoreShape
    case .restored: Self.restoredShape
    case .cleared: Self.clearedShape
    }
  }
}
