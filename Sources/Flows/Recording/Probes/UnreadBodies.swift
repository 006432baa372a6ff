// Bodies that are not kept: calls end without them.

import EventStore

extension RecordedBody {
  /// A body of which nothing is kept, for a reason.
  package static func unread(_ reason: String) -> RecordedBody {
    .opaque(reason: reason, length: 70_000, placeholder: "$secret.body.1$")
  }

  /// The digest of what is made of each of these statuses with a body that is not kept, for either reason.
  package static func unreadDigest(_ statuses: [Int], _ read: (_ reason: String, _ status: Int) -> String) -> String {
    let ends = statuses.flatMap { status in [tooLarge, "not JSON"].map { read($0, status) } }
    return StableHash.text(ends.joined(separator: "\n"))
  }
}
