// What rows, documents and commands call the terms of a rule.

extension RuleKind {
  /// `window`, `trigger` or `share`.
  package var word: String {
    switch self {
    case .window: "window"
    case .trigger: "trigger"
    case .share: "share"
    }
  }

  /// What people call such a rule.
  package var noun: String {
    switch self {
    case .window: "a rule of the schedule"
    case .trigger: "an announcement"
    case .share: "a share"
    }
  }
}

extension StartMode {
  /// `hard`, `next` or `wait`.
  package var word: String {
    switch self {
    case .hard: "hard"
    case .next: "next"
    case .wait: "wait"
    }
  }
}

extension EndMode {
  /// `cut` or `finish`.
  package var word: String {
    switch self {
    case .cut: "cut"
    case .finish: "finish"
    }
  }
}

extension MissedPolicy {
  /// `skip`, `run` or `within`.
  package var word: String {
    switch self {
    case .skip: "skip"
    case .run: "run"
    case .within: "within"
    }
  }
}
