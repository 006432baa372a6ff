// The endpoints that authorization servers name in their metadata (OpenID Connect Discovery §3, RFC 8414 §2). They may be
// anywhere.

import EventStore
import FlowRecording

/// The endpoints that the metadata in an archive name.
struct CapturedEndpoints {
  /// Where the metadata are that name an endpoint, by its org and path.
  private var places: [String: URLParts] = [:]

  /// Reads the metadata among the entries of an archive.
  init(_ entries: [JSON]) {
    for entry in entries {
      guard let place = entry["request"]?["url"]?.string.flatMap({ URLParts($0) }),
        CapturedPlace.isMetadata(place.path), let text = entry["response"]?["content"]?["text"]?.string,
        let json = try? JSON(parsing: Array(text.utf8))
      else { continue }
      for member in json.object?.members ?? [] where member.key.hasSuffix("_endpoint") || member.key == "jwks_uri" {
        guard let endpoint = member.value.string.flatMap({ URLParts($0) }) else { continue }
        places[Self.name(of: endpoint)] = place
      }
    }
  }

  /// Where the metadata are that name an endpoint; nil for other places.
  func metadata(naming endpoint: URLParts) -> URLParts? { places[Self.name(of: endpoint)] }

  private static func name(of endpoint: URLParts) -> String { CapturedPlace.org(of: endpoint) + endpoint.path }
}
