import Testing

@testable import FleetObjects

@Suite struct ObjectXMLTests {
  private let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- a list -->
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/" a='>'>
      <IsTruncated>true</IsTruncated><Empty/>
      <Contents><Key>a&amp;b&lt;&#x263A;&#65;</Key><Size>7</Size></Contents >
      <Contents><Key><![CDATA[<c>&amp;]]></Key></Contents>
    </ListBucketResult>

    """

  @Test func `elements, text, references`() throws {
    let list = try #require(ObjectXML(parsing: Array(text.utf8)))
    #expect(list.name == "ListBucketResult" && list["IsTruncated"]?.text == "true" && list["Empty"]?.text == "")
    #expect(list.children.filter { $0.name == "Contents" }.map { $0["Key"]?.text } == ["a&b<☺A", "<c>&amp;"])
    #expect(list["Contents"]?["Size"]?.text == "7" && list["Nothing"] == nil)
  }

  @Test(arguments: [
    "", " ", "text", "<a>", "<a></b>", "<a/><b/>", "<a>&unknown;</a>", "<a>&#xD800;</a>", "<a>&#99999999;</a>",
    "<a b></a>",
    "<a b=c/>", "<a>&amp</a>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a><!-- </a>", "</a>",
  ])
  func `what is not well-formed is nothing`(text: String) {
    #expect(ObjectXML(parsing: Array(text.utf8)) == nil)
  }

  @Test func `elements in elements without end are nothing`() {
    func nested(_ levels: Int) -> [UInt8] {
      Array((String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)).utf8)
    }
    #expect(ObjectXML(parsing: nested(16)) != nil && ObjectXML(parsing: nested(17)) == nil)
    #expect(ObjectXML(parsing: Array(String(repeating: "<a>", count: 100_000).utf8)) == nil)
  }

  @Test func `no cut and no changed byte traps, and a cut is found`() {
    let bytes = Array(text.utf8)
    let end = bytes.count - 2
    for length in 0..<end { #expect(ObjectXML(parsing: Array(bytes[..<length])) == nil, "\(length) bytes") }
    for index in bytes.indices {
      for byte: UInt8 in [0, 0x26, 0x2F, 0x3C, 0x3E, 0xFF] {
        var changed = bytes
        changed[index] = byte
        if let list = ObjectXML(parsing: changed) { #expect(list.children.count <= 4) }
      }
    }
  }
}
