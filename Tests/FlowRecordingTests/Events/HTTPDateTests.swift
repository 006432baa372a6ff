import FlowRecording
import Testing

/// Dates in HTTP headers and in cookies.
@Suite struct HTTPDateTests {
  @Test(
    "a year of two digits is one from 1970 to 2069 (RFC 6265 section 5.1.1)",
    arguments: [
      ("Thu, 01-Jan-70 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"),
      ("Fri, 31 Dec 99 23:59:59 GMT", "Fri, 31 Dec 1999 23:59:59 GMT"),
      ("Saturday, 01-Jan-00 00:00:00 GMT", "Sat, 01 Jan 2000 00:00:00 GMT"),
      ("Tue, 31-Dec-69 23:59:59 GMT", "Tue, 31 Dec 2069 23:59:59 GMT"),
    ])
  func shortYear(text: String, whole: String) throws {
    let seconds = try #require(HTTPDate.seconds(whole))
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(
    "a year of another length, or that is none, is no date",
    arguments: [
      "Thu, 01-Jan-7 00:00:00 GMT", "Thu, 01-Jan-970 00:00:00 GMT", "Thu, 01-Jan-7x 00:00:00 GMT",
      "Thu, 01-Jan-x0 00:00:00 GMT", "Thu, 01-Jan-+1 00:00:00 GMT",
    ])
  func noYear(text: String) { #expect(HTTPDate.seconds(text) == nil) }
}
