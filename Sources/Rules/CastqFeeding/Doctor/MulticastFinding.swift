package import CastqText

/// What a search of the network heard.
package struct MulticastFinding: Sendable, Hashable {
  /// Something that obstructed the search.
  package struct Problem: Sendable, Hashable {
    /// `switched_off`, or any other code of `castq devices`.
    package var code: String
    /// What it is and, after a semicolon, what to do.
    package var message: String

    package init(code: String, message: String) {
      self.code = code
      self.message = message
    }
  }

  /// How many devices answered.
  package var heard: Int
  /// Whether the examined device was among them; nil when it has no UUID by which it could be told, or there is none.
  package var heardDevice: Bool?
  package var problems: [Problem]
  /// Whether castq runs in a container with a network of its own.
  package var isInContainer: Bool

  package init(heard: Int, heardDevice: Bool?, problems: [Problem], isInContainer: Bool) {
    self.heard = heard
    self.heardDevice = heardDevice
    self.problems = problems
    self.isInContainer = isInContainer
  }

  /// What helps where nothing is heard.
  package static let byHand = FaceWords(typed: "'castq device add NAME HOST' needs no discovery", paged: nil)

  /// Never a failure: a device whose address is known works without multicast.
  package var verdict: DoctorVerdict {
    if let off = problems.first(where: { $0.code == "switched_off" }) {
      return .skipped(.multicast, off.message)
    }
    guard heard > 0 else {
      guard let problem = problems.first else {
        return .warn(
          .multicast, "no device answered",
          advice: FaceWords(
            "check that a device is on, and in this network; "
              + (isInContainer
                ? "give the container the computer's network (network_mode: host)"
                : "let UDP port 5353 pass, which VLANs, guest networks and firewalls block")
          ).followed(by: Self.byHand))
      }
      let (words, advice) = DoctorVerdict.halves(of: problem.message)
      return .warn(.multicast, words, advice: advice.map { FaceWords($0) } ?? Self.byHand)
    }
    let answers = heard == 1 ? "one device answered" : "\(heard) devices answered"
    switch heardDevice {
    case false:
      return .warn(
        .multicast, "\(answers), this one did not",
        advice:
          "check that it is on, and in the same network as this computer; its last address is used meanwhile")
    case true: return .ok(.multicast, "\(answers), this one among them")
    case nil: return .ok(.multicast, answers)
    }
  }
}
