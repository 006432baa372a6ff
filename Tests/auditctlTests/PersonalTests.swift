// An inventory of personal data, without the data.

import EventStore
import Testing

@Suite struct PersonalTests {
  @Test("info --personal counts by class and member, and shows no value")
  func inventory() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    _ = try Program.run(
      ["append", "--store", store], input: #"{"stream":"app/1","type":"t","data":{"login":"x"}}"#, in: folder)
    let json = try Program.run(["info", "--personal", "--store", store, "--json"], in: folder)
    #expect(json.code == 0, "\(json.errors)")
    let document = try JSON(parsing: Array(json.output.utf8))
    let flows = try recorded.flows()
    #expect(document["schema"]?.int == 1 && document["flows"]?.int == flows.count)
    #expect(document["applicationStreams"]?.int == 1 && document["unknownFlows"]?.int == 0)
    let classes = try #require(document["classes"]?.array)
    let logins = try #require(classes.first { $0["class"]?.string == "login" })
    #expect(logins["flows"]?.int == flows.count && (logins["members"]?["username"]?.int ?? 0) >= flows.count)
    #expect(classes.contains { $0["class"]?.string == "name" })
    let text = try Program.run(["info", "--personal", "--store", store], in: folder)
    #expect(text.output.contains("username") && text.output.contains("1 stream of applications"))
    let users = flows.compactMap { $0["user"]?.string }
    #expect(!users.isEmpty)
    for user in users { #expect(!text.output.contains(user) && !json.output.contains(user)) }
  }
}
