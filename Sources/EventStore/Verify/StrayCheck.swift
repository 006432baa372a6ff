/// Looks at every name in a store: a person who reads the directory with other programs may take a foreign file for a
/// part of the log.
struct StrayCheck {
  let layout: StoreLayout
  let disk: any Disk

  /// A finding for each name that does not belong to a store. Drafts do: the next opening removes them.
  func findings() throws(StoreError) -> [VerifyReport.Finding] {
    var found: [VerifyReport.Finding] = []
    for folder in StoreFolder.allCases {
      let names: [String]
      do throws(StoreError) {
        names = try disk.names(in: folder.path(in: layout))
      } catch {
        if folder.isNeeded {
          // If the directory is missing or is something else, the check that needs it reports that.
          guard error.code == .notFound || error.code == .io else { throw error }
        } else if error.code != .notFound {
          found.append(
            .init(
              kind: .ok, segment: path(of: folder), offset: nil, position: nil,
              message: "The names in it are not checked: \(error.message). No reader needs this folder."))
        }
        continue
      }
      for name in names.sorted() where !folder.has(name) && !folder.isDraft(name) {
        found.append(finding(name, in: folder))
      }
    }
    return found
  }

  /// The path of a folder, relative to the store.
  private func path(of folder: StoreFolder) -> String {
    String(folder.path(in: layout).dropFirst(layout.root.count + 1))
  }

  private func finding(_ name: String, in folder: StoreFolder) -> VerifyReport.Finding {
    let path = (folder == .root ? "" : path(of: folder) + "/") + name
    let isPrinted =
      folder == .segments && name.utf8.suffix(SegmentName.suffix.utf8.count).elementsEqual(SegmentName.suffix.utf8)
      && name.utf8.first != UInt8(ascii: ".")
    return .init(
      kind: isPrinted ? .altered : .ok, segment: path, offset: nil, position: nil,
      message: isPrinted
        ? "It is no segment of the log, and whoever decompresses all segments reads it as one."
        : "It is no file of the store; nothing reads it.")
  }
}
