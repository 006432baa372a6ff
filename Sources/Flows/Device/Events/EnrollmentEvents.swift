// What becomes of an enrollment (spec/device.md §17.2).

package import EventStore
import FlowRecording

/// `enrollment.started`: an operation on an enrollment began.
package struct EnrollmentStarted: DevicePayload {
  package static let type = "enrollment.started"
  package static let needsBarrier = false
  package static let required = ["operation"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `enrollment.policyLoaded`: the authenticator's configuration is known.
package struct EnrollmentPolicyLoaded: DevicePayload {
  package static let type = "enrollment.policyLoaded"
  package static let needsBarrier = false
  package static let required = ["authenticatorId", "orgId"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `enrollment.keysCreated`: keys were made.
package struct EnrollmentKeysCreated: DevicePayload {
  package static let type = "enrollment.keysCreated"
  package static let needsBarrier = false
  package static let required = ["keys"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `enrollment.deviceReset`: the org does not know the device any more; it is enrolled as a new one.
package struct EnrollmentDeviceReset: DevicePayload {
  package static let type = "enrollment.deviceReset"
  package static let needsBarrier = true
  package static let required = ["reason"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `enrollment.completed`: the org has enrolled the device, and it is stored.
package struct EnrollmentCompleted: DevicePayload {
  package static let type = "enrollment.completed"
  package static let needsBarrier = true
  package static let required = ["enrollmentId"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `enrollment.failed`: the operation cannot be done.
package struct EnrollmentFailed: DevicePayload {
  package static let type = "enrollment.failed"
  package static let needsBarrier = true
  package static let required = ["operation", "error", "details"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `enrollment.rolledBack`: the keys that the operation made are destroyed.
package struct EnrollmentRolledBack: DevicePayload {
  package static let type = "enrollment.rolledBack"
  package static let needsBarrier = true
  package static let required = ["keys"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `enrollment.updated`: the org took a change.
package struct EnrollmentUpdated: DevicePayload {
  package static let type = "enrollment.updated"
  package static let needsBarrier = true
  package static let required = ["enrollmentId", "changed"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `enrollment.deleted`: the enrollment is not on this device any more.
package struct EnrollmentDeleted: DevicePayload {
  package static let type = "enrollment.deleted"
  package static let needsBarrier = true
  package static let required = ["enrollmentId", "by", "keys"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `enrollment.stateChanged`: what the org last said of it means another state.
package struct EnrollmentStateChanged: DevicePayload {
  package static let type = "enrollment.stateChanged"
  package static let needsBarrier = true
  package static let required = ["enrollmentId", "from", "to"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `maintenanceToken.obtained`: the org gave a maintenance token.
package struct MaintenanceTokenObtained: DevicePayload {
  package static let type = "maintenanceToken.obtained"
  package static let needsBarrier = true
  package static let required = ["scopes"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}

/// `maintenanceToken.failed`: it did not.
package struct MaintenanceTokenFailed: DevicePayload {
  package static let type = "maintenanceToken.failed"
  package static let needsBarrier = true
  package static let required = ["error"]
  package let data: JSON

  package init(unchecked data: JSON) { self.data = data }
}
