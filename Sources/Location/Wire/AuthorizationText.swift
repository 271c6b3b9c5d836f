import Navigation

/// Decisions and use of location, for people.
package enum AuthorizationText {
  /// What was decided, and who was told what, a line each.
  package static func text(_ decisions: [ServiceMessage.Decision], _ audit: [UsageAudit.Entry]) -> String {
    var text = decisions.isEmpty ? "Nothing has been decided.\n" : "Decided:\n"
    for decision in decisions {
      let grant =
        switch decision.grant {
        case nil: "forgotten"
        case let grant? where grant.status == .authorized:
          allowance(grant)
        case .some(let grant): grant.status == .denied ? "denied" : "\(grant.status.rawValue)"
        }
      let doubt = decision.isStored ? "" : " (not on the disk yet: lost if the service ends now)"
      text += "  \(decision.client.name), user \(decision.client.user): \(grant)\(doubt)\n"
    }
    for user in suspects(decisions) {
      text +=
        "Programs of user \(user) are let only where a decision or a rule gives their whole name, "
        + "because one of them is denied.\n"
    }
    text += audit.isEmpty ? "Nobody was told in the last 24 hours.\n" : "Told in the last 24 hours:\n"
    for entry in audit {
      let locations = entry.count == 1 ? "1 location" : "\(entry.count) locations"
      text +=
        "  \(entry.client.name), user \(entry.client.user): \(locations) \(span(of: entry)), "
        + "for: \(entry.purpose)\n"
    }
    return text
  }

  private static func allowance(_ grant: AuthorizationPolicy.Grant) -> String {
    if grant.accuracy == .full { return "allowed" }
    if grant.fullAccuracyPurposeKeys.isEmpty { return "allowed, to some kilometres" }
    let (keys, minutes) = (grant.fullAccuracyPurposeKeys.sorted(), Int(TemporaryFullAccuracy.duration / 60))
    return "allowed, to some kilometres, and exactly for \(minutes) min where it asks for "
      + keys.joined(separator: " or ")
  }

  private static func suspects(_ decisions: [ServiceMessage.Decision]) -> [UInt32] {
    Set(decisions.lazy.filter { $0.grant?.status == .denied }.map(\.client.user)).sorted()
  }

  /// `at 2026-05-01 12:00:00 UTC`, or from then, over so long.
  private static func span(of entry: UsageAudit.Entry) -> String {
    let seconds = entry.until.seconds(since: entry.from)
    let began = entry.from.utcText.prefix(19).replacing("T", with: " ") + " UTC"
    if entry.count == 1 || seconds < 0.1 { return "at \(began)" }
    let duration =
      seconds < 10
      ? "\((seconds * 10).rounded() / 10) s"
      : seconds < 120
        ? "\(Int(seconds.rounded())) s"
        : seconds < 7200 ? "\(Int((seconds / 60).rounded())) min" : "\((seconds / 360).rounded() / 10) h"
    return "from \(began) on over \(duration)"
  }
}
