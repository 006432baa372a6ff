// An enrollment as answers show it (device.md §4.3).

extension OrgState {
  func body(of enrollment: DeviceEnrollment) -> OrgJSON {
    let record = device.devices[enrollment.deviceID]
    let address = baseURL + Self.enrollmentsPath + "/" + enrollment.id
    let (created, updated) = (OrgJSON.string(enrollment.created.iso8601), OrgJSON.string(enrollment.updated.iso8601))
    return [
      "id": .string(enrollment.id), "authenticatorId": .string(enrollment.authenticatorID), "createdDate": created,
      "lastUpdated": updated,
      "user": ["id": .string(enrollment.userID), "username": .string(accounts[enrollment.login]?.user.login ?? "")],
      "device": [
        "id": .string(enrollment.deviceID), "status": .string((record?.status ?? .deleted).rawValue),
        "createdDate": record.map { .string($0.created.iso8601) } ?? .null,
        "lastUpdated": record.map { .string($0.updated.iso8601) } ?? .null,
        "clientInstanceId": .string(record?.clientInstanceID ?? ""),
        "profile": [
          "displayName": record?.profile["displayName"] ?? .null, "platform": record?.profile["platform"] ?? .null,
        ],
      ],
      "methods": [
        "push": [
          "id": .string(enrollment.methodID), "createdDate": created, "lastUpdated": updated,
          "links": [
            "pending": ["href": .string(address + "/push/notifications"), "hints": ["allow": ["GET"]]]
          ],
        ]
      ],
      "links": ["self": ["href": .string(address), "hints": ["allow": ["PATCH", "DELETE"]]]],
    ]
  }
}
