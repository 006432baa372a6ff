// Where an archive is: a directory, or a place in a bucket.

import ArgumentParser
import AuditReports
import EventStore
import Fleet
import FleetObjects
import Foundation

/// How an object storage is reached.
struct StorageOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address of the storage of s3:// (default: $AWS_ENDPOINT_URL, else Amazon's).", valueName: "URL"))
  var endpoint: String?

  /// The archive at a place. What is wrong with a bucket, or with the credentials for it, is found before anything is
  /// done.
  ///
  /// - Throws: exit 64 if the place is none, or the environment lacks something; what asking the storage throws.
  func archive(at given: String) throws -> FleetArchive {
    guard ObjectPlace.isOne(given) else {
      guard !given.contains("://") else {
        throw CommandFailure(
          .usage, "there are no archives at \(given.printable); give a directory, or s3://BUCKET/PREFIX")
      }
      guard endpoint == nil else {
        throw CommandFailure(.usage, "--endpoint goes with s3://BUCKET/PREFIX, not a directory")
      }
      return FleetArchive(given, disk: SystemDisk())
    }
    let place: ObjectPlace
    let access: ObjectAccess
    do throws(StoreError) {
      place = try ObjectPlace(given)
      access = try ObjectAccess(endpoint: endpoint, environment: ProcessInfo.processInfo.environment)
    } catch {
      throw CommandFailure(.usage, error.description.printable)
    }
    let key = SigningKey.defaultPath(origin: "archive")
    let disk = ObjectDisk(
      place, access: access, local: SystemDisk(),
      locks: String(key.prefix(upTo: key.lastIndex(of: "/") ?? key.startIndex)))
    try disk.check()
    return FleetArchive(place.path, disk: disk)
  }
}
