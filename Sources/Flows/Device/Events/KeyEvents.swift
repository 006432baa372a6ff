// Keys that are looked up, and keys that cannot be used (spec/device.md §17.2).

package import EventStore
import FlowRecording

/// `key.fetched`: the org's key of a challenge is known.
package struct KeyFetched: DevicePayload {
  package static let type = "key.fetched"
  package static let needsBarrier = false
  package static let required = ["issuer", "kid", "cached"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `key.fetch.failed`: the org's key of a challenge could not be had.
package struct KeyFetchFailed: DevicePayload {
  package static let type = "key.fetch.failed"
  package static let needsBarrier = false
  package static let required = ["issuer", "reason"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `key.fallback`: a key could not be used and another signs. The message goes to the application.
package struct KeyFellBack: DevicePayload {
  package static let type = "key.fallback"
  package static let needsBarrier = true
  package static let required = ["transactionId", "from", "to", "reason", "consent"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}
