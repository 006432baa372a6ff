import DeviceAuthenticator

/// Work on a storage that others use at the same time.
struct StorageWork {
  private let storage: SQLiteEnrollmentStorage
  private let name: String

  init(directory: String, name: String) throws {
    storage = try SQLiteEnrollmentStorage(directory: directory)
    self.name = name
  }

  /// Operations of all kinds. Half of them change what all share; the counts are to be found at the end.
  func run(_ count: Int) throws {
    for number in 0..<count {
      switch number % 5 {
      case 0: try storage.save(enrollment("\(name)-\(number)"))
      case 1: try storage.update(enrollment: "shared") { $0.created += 1 }
      case 2: _ = try storage.enrollment(id: "\(name)-\(number - 2)")
      case 3: _ = try storage.claim(transaction("\(name)-\(number)"), now: 0)
      default: _ = try storage.transaction(id: "\(name)-\(number - 1)")
      }
    }
    DeviceStoreSubject.say("done \(count)")
  }

  /// Claims what others claim too.
  func claim(_ count: Int) throws {
    for number in 0..<count where try storage.claim(transaction("ft\(number)"), now: 0) == nil {
      DeviceStoreSubject.say("got ft\(number)")
    }
  }

  private func enrollment(_ id: String) -> StoredEnrollment {
    StoredEnrollment(id: id, orgID: "00o1", orgURL: "https://org.example.com", userID: name, deviceID: "guo1")
  }

  private func transaction(_ id: String) -> StoredTransaction {
    StoredTransaction(
      id: id, enrollmentID: "shared", fingerprint: id, stream: "device/\(name)", stage: .asked, expiry: 1)
  }
}
