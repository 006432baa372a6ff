// The packages that the container installs, compared with what the program is linked to.

import Foundation
import Testing

@Suite struct ContainerTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  /// Libraries of each Debian system; Swift's own, which `make install` links into the program; and that of NATS, which
  /// only builds with a trait need.
  private static let given = [
    "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libresolv.so", "libstdc++.so", "libgcc_s.so",
    "ld-linux", "libswift", "lib_", "libFoundation", "libdispatch.so", "libBlocksRuntime.so", "libnats.so",
  ]

  /// The Debian package of a shared library: `libcurl4` of `libcurl.so.4`, `liblz4-1` of `liblz4.so.1` (Debian Policy
  /// §8.1).
  private static func package(of library: String) -> String {
    guard let cut = library.range(of: ".so.") else { return library }
    let name = library[..<cut.lowerBound]
    return "\(name)\(name.last?.isNumber == true ? "-" : "")\(library[cut.upperBound...])"
  }

  @Test(
    "the container and the FAQ name the package of every library that the program is linked to",
    .enabled(if: Program.has("readelf"), "needs readelf"))
  func libraries() throws {
    let folder = try Folder()
    let run = try Program.shell("LC_ALL=C readelf -d '\(Program.binary)'", in: folder)
    #expect(run.code == 0, "\(run.output)")
    let needed = run.output.matches(of: /\(NEEDED\).*\[(.+)\]/).map { String($0.output.1) }
    let packages = needed.filter { library in !Self.given.contains { library.hasPrefix($0) } }.map(Self.package)
    #expect(packages.contains("libcurl4") && packages.contains("liblz4-1"), "\(needed)")
    for page in ["Containerfile", "docs/FAQ.md"] {
      let text = try String(contentsOf: Self.root.appendingPathComponent(page), encoding: .utf8)
      let words = Set(text.split { !($0.isLetter || $0.isNumber || "-.".contains($0)) }.map(String.init))
      for package in packages { #expect(words.contains(package), "\(page) does not name \(package)") }
    }
  }
}
