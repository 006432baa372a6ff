// The errors of device.md §15.3. Code and HTTP status are contract, the texts are not.

extension Refusal {
  static let missingScope = Self(403, "E0000006", "You do not have permission to perform the requested action")
  static let noSuchEnrollment = Self(404, "E0000008", "The requested enrollment was not found")
  static let featureOff = Self(401, "E0000015", "You do not have permission to access the feature you are requesting")
  static let deviceSuspended = Self(403, "E0000152", "The device status does not allow this operation")
  static let deviceDeleted = Self(410, "E0000153", "The device was deleted")
  static let enrollmentDeleted = Self(410, "E0000154", "The enrollment does not exist any more")
  static let userSuspended = Self(423, "E0000155", "The user is not active")
  static let userDeleted = Self(410, "E0000156", "The user was deleted")
  static let verificationNeeded = Self(
    400, "E0000158", "The enrollment does not meet the user verification requirement of the authenticator")
  static let complianceNeeded = Self(400, "E0000159", "The enrollment does not meet the FIPS requirement")
  static let enrollmentSuspended = Self(423, "E0000180", "The enrollment is suspended")
}
