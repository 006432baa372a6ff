import DeviceAuthenticator
import EventStore
import Testing

/// The laws of enrollments, policies and device records, for each storage of ours.
@Suite struct StorageLawTests {
  @Test(arguments: StorageMaker.all)
  func `what is saved is read as it was, full or empty`(maker: StorageMaker) throws {
    let storage = try maker.make()
    let full = StoredEnrollment.full("pfd1")
    let bare = StoredEnrollment(
      id: "pfd2", orgID: "00o2", orgURL: "https://b", userID: "00u2", deviceID: "guo2", transactionTypes: [])
    try storage.save(full)
    try storage.save(bare)
    #expect(try storage.enrollments() == [full, bare])
    #expect(try storage.enrollment(id: "pfd1") == full && storage.enrollment(id: "pfd2") == bare)
    #expect(try storage.enrollment(id: "pfd3") == nil)
  }

  @Test(arguments: StorageMaker.all)
  func `an enrollment with the same id and org is replaced in its place; of another org it stays beside`(
    maker: StorageMaker
  ) throws {
    let storage = try maker.make()
    let first = StoredEnrollment.full("pfd1")
    let second = StoredEnrollment.full("pfd2")
    let foreign = StoredEnrollment.full("pfd1", org: "00o2")
    for enrollment in [first, second, foreign] { try storage.save(enrollment) }
    var changed = first
    changed.userName = nil
    changed.serverErrorCode = nil
    try storage.save(changed)
    #expect(try storage.enrollments() == [changed, second, foreign])
    #expect(try storage.enrollment(id: "pfd1") == changed)
  }

  @Test(arguments: StorageMaker.all)
  func `a change is made in one step, and one of nothing changes nothing`(maker: StorageMaker) throws {
    let storage = try maker.make()
    try storage.save(StoredEnrollment.full("pfd1"))
    let changed = try storage.update(enrollment: "pfd1") { $0.transactionTypes = ["LOGIN"] }
    #expect(try changed?.transactionTypes == ["LOGIN"] && storage.enrollment(id: "pfd1") == changed)
    #expect(try storage.update(enrollment: "none") { $0.userID = "x" } == nil)
  }

  @Test(arguments: StorageMaker.all)
  func `an org's last enrollment takes policy and device record along, another one does not`(
    maker: StorageMaker
  ) throws {
    let storage = try maker.make()
    try storage.save(StoredEnrollment.full("pfd1", tags: ("pop1", "shared")))
    try storage.save(StoredEnrollment.full("pfd2", tags: ("pop2", "shared")))
    let device = StoredDevice(orgID: "00o1", id: "guo1", clientInstanceID: "cli1", clientInstanceTag: "ci")
    let policy = StoredPolicy(
      orgID: "00o1", id: "aut1", clientID: "0oa1",
      content: .object(JSONObject([.init(key: "name", value: .string("Ümlaut"))])))
    try storage.save(device)
    try storage.save(policy)
    let first = try storage.delete(enrollment: "pfd1")
    #expect(first?.enrollment.id == "pfd1" && first?.device == nil && first?.orphanedTags == ["pop1", "pfd1-bio"])
    #expect(try storage.device(orgID: "00o1") == device && storage.policy(orgID: "00o1") == policy)
    let second = try storage.delete(enrollment: "pfd2")
    #expect(second?.device == device && second?.orphanedTags == ["pop2", "shared", "pfd2-bio", "ci"])
    #expect(try storage.device(orgID: "00o1") == nil && storage.policy(orgID: "00o1") == nil)
    #expect(try storage.delete(enrollment: "pfd2") == nil && storage.enrollments().isEmpty)
  }

  @Test(arguments: StorageMaker.all)
  func `the tag that another org's device record names is not orphaned`(maker: StorageMaker) throws {
    let storage = try maker.make()
    try storage.save(StoredEnrollment.full("pfd1"))
    for org in ["00o1", "00o2"] {
      try storage.save(StoredDevice(orgID: org, id: "guo", clientInstanceID: "cli", clientInstanceTag: "ci"))
    }
    #expect(try storage.delete(enrollment: "pfd1")?.orphanedTags == ["pop", "uv", "pfd1-bio"])
    #expect(try storage.device(orgID: "00o2") != nil)
  }

  @Test(arguments: StorageMaker.all)
  func `a newer policy and a newer device record take the place of the older`(maker: StorageMaker) throws {
    let storage = try maker.make()
    for id in ["1", "2"] {
      try storage.save(StoredDevice(orgID: "00o1", id: id, clientInstanceID: id, clientInstanceTag: id))
      try storage.save(StoredPolicy(orgID: "00o1", id: id, clientID: id, content: .array([.string(id)])))
    }
    #expect(try storage.device(orgID: "00o1")?.clientInstanceTag == "2")
    #expect(try storage.policy(orgID: "00o1")?.content == .array([.string("2")]))
    #expect(try storage.policy(orgID: "00o2") == nil && storage.device(orgID: "00o2") == nil)
  }
}
