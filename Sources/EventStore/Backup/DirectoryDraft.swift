// A directory that is built under a temporary name and renamed when it is complete.
import Foundation

/// A directory in the making: `<target>.incomplete` until it is published.
struct DirectoryDraft {
  /// The final path of the directory.
  let target: String
  /// Where it is built.
  let path: String
  private let disk: any Disk

  /// Begins to build.
  ///
  /// - Throws: `cannotCreate` if the target is there and not empty, is not a directory, has no parent or lies in the
  ///   store that it is made from, or if an interrupted attempt left its draft.
  init(of target: String, outside store: StoreLayout, on disk: any Disk) throws(StoreError) {
    self.target = StoreLayout(target).root
    path = self.target + ".incomplete"
    self.disk = disk
    func fail(_ what: String, _ path: String, _ advice: String) -> StoreError {
      StoreError(.cannotCreate, what, file: path, advice: advice)
    }
    guard !store.holds(self.target) else {
      throw fail("this lies in the store itself", self.target, "give a place outside of it")
    }
    if FileManager.default.fileExists(atPath: self.target) {
      do throws(StoreError) {
        guard try disk.names(in: self.target).isEmpty else {
          throw fail("the directory is not empty", self.target, "give a new or an empty one")
        }
      } catch {
        guard error.code == .notFound else { throw error }
        throw fail("this is no directory", self.target, "give a new directory")
      }
    }
    do throws(StoreError) {
      guard try disk.makeDirectory(path) else {
        throw fail("an attempt that was cut off has left this", path, "remove it and try again")
      }
    } catch {
      guard error.code == .notFound else { throw error }
      throw fail("there is no directory to make it in", self.target, "make it first")
    }
  }

  /// Gives the directory its name, durable when it returns. Its content must be synced.
  func publish() throws(StoreError) {
    try disk.syncDirectory(path)
    try disk.rename(path, to: target)
    let parent = target.lastIndex(of: "/").map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
    try disk.syncDirectory(parent)
  }

  /// Removes what was built. What cannot be removed stays under its name, which says what it is.
  func discard() { try? FileManager.default.removeItem(atPath: path) }
}
