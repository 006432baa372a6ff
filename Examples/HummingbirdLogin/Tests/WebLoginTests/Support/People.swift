import SimulatedOrg

/// The people of these tests. Each has another password, so that a leak shows whose it is.
extension OrgUser {
  static let ann = OrgUser(login: "ann@acme.example", password: "Correct-horse-1", firstName: "Ann", lastName: "Lee")
  static let bob = OrgUser(
    login: "bob@acme.example", password: "Batte+ry & <staple>% 2", firstName: "Bob", lastName: "Ray",
    factors: [.push(device: "Bob's phone"), .sms(phone: "+1 415-555-0199")])
  static let eve = OrgUser(
    login: "eve@acme.example", password: "Ünicode-Passwort-3", firstName: "<script>alert(1)</script>",
    lastName: "\"O'Hara\" & Co")
  static let ida = OrgUser(
    login: "ida@acme.example", password: "Mail-arrives-4", firstName: "Ida", lastName: "Fox",
    factors: [.email(address: "ida@acme.example")])
}

extension Browser {
  /// Starts, and says who signs in.
  func begin(as user: OrgUser) async throws {
    try await press("Sign in")
    try await see(heading: "Sign in")
    try await type(user.login, into: "Username")
    try await press("Next")
    try await see(heading: "Verify with Password")
  }

  /// Chooses the push, and looks for the page that waits for its answer.
  func sendPush() async throws {
    try await see(heading: "Choose how to verify")
    try await choose("Okta Verify")
    try await press("Next")
    try await see(heading: "Waiting for Okta Verify")
  }

  func give(password: String?) async throws {
    try await type(password ?? "", into: "Password")
    try await press("Verify")
  }
}
