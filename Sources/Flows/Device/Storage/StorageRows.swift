// How stored values are represented in rows. A malformed row causes an error, never a trap.

import EventStore
import GRDB

/// The values of a row by column name.
struct RowReader {
  private let table: String
  private let columns: [String]
  private let values: [DatabaseValue]

  /// Takes a row with the given columns, in this order.
  init(_ row: Row, of table: String, _ columns: [String]) {
    self.table = table
    self.columns = columns
    values = Array(row.databaseValues)
  }

  /// Returns a value; NULL if the column does not exist.
  func value(_ column: String) -> DatabaseValue {
    guard let index = columns.firstIndex(of: column), values.indices.contains(index) else { return .null }
    return values[index]
  }

  /// A text.
  func text(_ column: String) throws(StorageFailure) -> String {
    guard let text = try optionalText(column) else { throw wrong(column) }
    return text
  }

  /// A text, or `nil` for NULL.
  func optionalText(_ column: String) throws(StorageFailure) -> String? {
    switch value(column).storage {
    case .null: return nil
    case .string(let text): return text
    case .int64, .double, .blob: throw wrong(column)
    }
  }

  /// A number.
  func number(_ column: String) throws(StorageFailure) -> Double {
    guard let number = try optionalNumber(column) else { throw wrong(column) }
    return number
  }

  /// A number, or `nil` for NULL.
  func optionalNumber(_ column: String) throws(StorageFailure) -> Double? {
    switch value(column).storage {
    case .null: return nil
    case .double(let number): return number
    case .int64(let number): return Double(number)
    case .string, .blob: throw wrong(column)
    }
  }

  /// The error for a column with an unexpected value.
  func wrong(_ column: String) -> StorageFailure {
    .unreadable(reason: "column \(column) of table \(table) holds what was never written there; restore the storage")
  }
}

/// Maps `StoredEnrollment` to its table.
enum EnrollmentRow {
  static let columns = [
    "id", "org_id", "org_url", "user_id", "user_name", "device_id", "method_id", "pending_url", "pop_tag", "uv_tag",
    "bio_tag", "transaction_types", "client_id", "server_error_code", "created", "updated",
  ]

  static func values(_ enrollment: StoredEnrollment, _ seal: CellSeal) throws(StorageFailure) -> [DatabaseValue] {
    [
      enrollment.id.databaseValue, enrollment.orgID.databaseValue, enrollment.orgURL.databaseValue,
      enrollment.userID.databaseValue,
      try seal.seal(enrollment.userName, at: "enrollment.user_name", enrollment.id, enrollment.orgID),
      enrollment.deviceID.databaseValue, enrollment.methodID.databaseValue, enrollment.pendingURL.databaseValue,
      enrollment.proofOfPossessionTag.databaseValue, enrollment.userVerificationTag.databaseValue,
      enrollment.bioOrPinTag.databaseValue,
      JSON.array(enrollment.transactionTypes.sorted().map { .string($0) }).text.databaseValue,
      enrollment.clientID.databaseValue, enrollment.serverErrorCode.databaseValue, enrollment.created.databaseValue,
      enrollment.updated.databaseValue,
    ]
  }

  static func read(_ row: Row, _ seal: CellSeal) throws(StorageFailure) -> StoredEnrollment {
    let cells = RowReader(row, of: "enrollment", columns)
    let (id, orgID) = (try cells.text("id"), try cells.text("org_id"))
    guard let list = (try? JSON(parsing: Array(try cells.text("transaction_types").utf8)))?.array else {
      throw cells.wrong("transaction_types")
    }
    return StoredEnrollment(
      id: id, orgID: orgID, orgURL: try cells.text("org_url"), userID: try cells.text("user_id"),
      userName: try seal.open(cells.value("user_name"), at: "enrollment.user_name", id, orgID),
      deviceID: try cells.text("device_id"), methodID: try cells.optionalText("method_id"),
      pendingURL: try cells.optionalText("pending_url"), proofOfPossessionTag: try cells.optionalText("pop_tag"),
      userVerificationTag: try cells.optionalText("uv_tag"), bioOrPinTag: try cells.optionalText("bio_tag"),
      transactionTypes: Set(list.compactMap(\.string)), clientID: try cells.optionalText("client_id"),
      serverErrorCode: try cells.optionalText("server_error_code"), created: try cells.number("created"),
      updated: try cells.number("updated"))
  }
}

/// Maps `StoredPolicy` to its table.
enum PolicyRow {
  static let columns = ["org_id", "id", "client_id", "content"]

  static func values(_ policy: StoredPolicy) -> [DatabaseValue] {
    [
      policy.orgID.databaseValue, policy.id.databaseValue, policy.clientID.databaseValue,
      policy.content.text.databaseValue,
    ]
  }

  static func read(_ row: Row) throws(StorageFailure) -> StoredPolicy {
    let cells = RowReader(row, of: "policy", columns)
    guard let content = try? JSON(parsing: Array(try cells.text("content").utf8)) else { throw cells.wrong("content") }
    return StoredPolicy(
      orgID: try cells.text("org_id"), id: try cells.text("id"), clientID: try cells.text("client_id"),
      content: content)
  }
}

/// Maps `StoredDevice` to its table.
enum DeviceRow {
  static let columns = ["org_id", "id", "client_instance_id", "client_instance_tag"]

  static func values(_ device: StoredDevice) -> [DatabaseValue] {
    [
      device.orgID.databaseValue, device.id.databaseValue, device.clientInstanceID.databaseValue,
      device.clientInstanceTag.databaseValue,
    ]
  }

  static func read(_ row: Row) throws(StorageFailure) -> StoredDevice {
    let cells = RowReader(row, of: "device", columns)
    return StoredDevice(
      orgID: try cells.text("org_id"), id: try cells.text("id"),
      clientInstanceID: try cells.text("client_instance_id"),
      clientInstanceTag: try cells.text("client_instance_tag"))
  }
}

/// Maps `StoredTransaction` to its table.
enum AnswerRow {
  static let columns = [
    "id", "enrollment_id", "fingerprint", "stream", "stage", "response", "response_expiry", "expiry",
  ]

  static func values(_ transaction: StoredTransaction, _ seal: CellSeal) throws(StorageFailure) -> [DatabaseValue] {
    [
      transaction.id.databaseValue, transaction.enrollmentID.databaseValue, transaction.fingerprint.databaseValue,
      transaction.stream.databaseValue, transaction.stage.rawValue.databaseValue,
      try seal.seal(transaction.response, at: "answer.response", transaction.id),
      transaction.responseExpiry.databaseValue, transaction.expiry.databaseValue,
    ]
  }

  static func read(_ row: Row, _ seal: CellSeal) throws(StorageFailure) -> StoredTransaction {
    let cells = RowReader(row, of: "answer", columns)
    let id = try cells.text("id")
    guard let stage = StoredTransaction.Stage(rawValue: try cells.text("stage")) else { throw cells.wrong("stage") }
    return StoredTransaction(
      id: id, enrollmentID: try cells.text("enrollment_id"), fingerprint: try cells.text("fingerprint"),
      stream: try cells.text("stream"), stage: stage,
      response: try seal.open(cells.value("response"), at: "answer.response", id),
      responseExpiry: try cells.optionalNumber("response_expiry"), expiry: try cells.number("expiry"))
  }
}
