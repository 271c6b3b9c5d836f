/// What of a map is drawn in one way, by the layers and words of Protomaps' and OpenMapTiles' tiles. The
/// page's script draws the same by the same words, and houses and names besides.
package enum StreetKind: String, CaseIterable, Sendable {
  case green, water, stream, path, rail, minor, medium, major, motorway

  package var isArea: Bool { self == .green || self == .water }

  /// The words for each kind of road; nil for what is none.
  package static let roadWords: [(kind: StreetKind?, words: String)] = [
    (.motorway, "motorway motorway_link highway"),
    (.major, "major_road trunk trunk_link primary primary_link"),
    (.medium, "medium_road secondary secondary_link tertiary tertiary_link"),
    (
      .path,
      "path footway pedestrian steps cycleway track bridleway corridor crossing sidewalk path_construction"
    ),
    (.rail, "rail railway transit subway tram light_rail narrow_gauge"),
    (nil, "ferry aerialway aeroway runway taxiway pier"),
  ]
  /// The words for what is green.
  package static let greenWords = [
    "park forest wood nature_reserve national_park grass grassland meadow scrub golf_course cemetery garden ",
    "village_green recreation_ground allotments orchard protected_area pitch playground zoo",
  ]

  private static let roads: [Substring: StreetKind?] = Dictionary(
    uniqueKeysWithValues: roadWords.flatMap { kind, words in words.split(separator: " ").map { ($0, kind) } })
  private static let greens = Set(greenWords.joined().split(separator: " "))

  /// The kind of a feature of `layer` and of a shape (2 a line, 3 an area) that bears `tags`;
  /// nil for what is not drawn.
  init?(layer: String, shape: UInt64, tags: [String: String]) {
    let plain = tags["kind"] ?? tags["pmap:kind"]
    let word = tags["kind_detail"] ?? tags["pmap:kind_detail"] ?? plain ?? tags["class"] ?? ""
    switch (layer, shape) {
    case ("water", 3), ("ocean", 3): self = .water
    case ("water", 2), ("ocean", 2), ("waterway", 2), ("physical_line", 2): self = .stream
    case ("park", 3): self = .green
    case ("landuse", 3), ("landcover", 3), ("natural", 3):
      guard Self.greens.contains(word[...]) || Self.greens.contains((tags["kind"] ?? "")[...]) else {
        return nil
      }
      self = .green
    case ("roads", 2), ("transportation", 2), ("transit", 2):
      let known: StreetKind?? = Self.roads[word[...]] ?? plain.flatMap { Self.roads[$0[...]] }
      let kind: StreetKind? = known ?? (layer == "transit" ? .rail : .minor)
      guard let kind else { return nil }
      self = kind
    default: return nil
    }
  }

  /// Whether a road that bears `tags` is below the ground.
  static func isTunnel(_ tags: [String: String]) -> Bool {
    tags["brunnel"] == "tunnel" || tags["is_tunnel"] == "true" || tags["pmap:level"]?.hasPrefix("-") == true
  }
}
