/// The description of devices that iiod sends to a client: libiio's XML.
enum IIODContext {
  static func xml(_ devices: [IIODDevice]) -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?><!DOCTYPE context [\(types)]>"
      + "<context name=\"network\" version-major=\"0\" version-minor=\"24\" version-git=\"v0.24\" description=\"test\" >"
      + devices.map(xml).joined() + "</context>"
  }

  private static func xml(_ device: IIODDevice) -> String {
    var place = 0
    let channels = device.channels.map { channel in
      var text = "<channel id=\"\(channel.id)\" type=\"input\" >"
      if let format = channel.format {
        text += "<scan-element index=\"\(place)\" format=\"\(escaped(format))\" />"
        place += 1
      }
      for name in channel.attributes.keys.sorted() {
        text += "<attribute name=\"\(name)\" filename=\"in_\(channel.id)_\(name)\" />"
      }
      return text + "</channel>"
    }
    let attributes = device.attributes.keys.sorted().map { "<attribute name=\"\($0)\" />" }
    return "<device id=\"\(device.id)\" name=\"\(device.name)\" >" + channels.joined() + attributes.joined()
      + "</device>"
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: ">", omittingEmptySubsequences: false).joined(separator: "&gt;")
  }

  /// What libiio checks the document against.
  private static let types =
    "<!ELEMENT context (device | context-attribute)*><!ELEMENT context-attribute EMPTY>"
    + "<!ELEMENT device (channel | attribute | debug-attribute | buffer-attribute)*>"
    + "<!ELEMENT channel (scan-element?, attribute*)><!ELEMENT attribute EMPTY><!ELEMENT scan-element EMPTY>"
    + "<!ELEMENT debug-attribute EMPTY><!ELEMENT buffer-attribute EMPTY>"
    + "<!ATTLIST context name CDATA #REQUIRED version-major CDATA #REQUIRED version-minor CDATA #REQUIRED "
    + "version-git CDATA #REQUIRED description CDATA #IMPLIED>"
    + "<!ATTLIST context-attribute name CDATA #REQUIRED value CDATA #REQUIRED>"
    + "<!ATTLIST device id CDATA #REQUIRED name CDATA #IMPLIED label CDATA #IMPLIED>"
    + "<!ATTLIST channel id CDATA #REQUIRED type (input|output) #REQUIRED name CDATA #IMPLIED>"
    + "<!ATTLIST scan-element index CDATA #REQUIRED format CDATA #REQUIRED scale CDATA #IMPLIED>"
    + "<!ATTLIST attribute name CDATA #REQUIRED filename CDATA #IMPLIED>"
    + "<!ATTLIST debug-attribute name CDATA #REQUIRED><!ATTLIST buffer-attribute name CDATA #REQUIRED>"
}
