import JSON

/// What drive.json says by keys that its format does not know: most likely a slip of who wrote it by hand.
enum UnknownKeys {
  /// The keys of the objects in drive.json; `pseudoranges` is kept for a file that is not read yet.
  private static let known: [String: [String]] = [
    "": DriveDescription.CodingKeys.allCases.map(\.rawValue) + ["pseudoranges"],
    "imu": ["model", "rateHz", "frame"],
    "truth": ["reference", "horizontalSigmaMetres", "yaw", "independentOfGNSS"],
  ]
  /// Who keeps notes of their own in the file need not read them all. [chosen: a line on a terminal]
  private static let most = 5

  /// A sentence about each, in the order of the file.
  static func remarks(on json: JSON) -> [String] {
    var all = unknown(in: json, of: "")
    for part in ["imu", "truth"] { all += unknown(in: json[part] ?? .null, of: part) }
    let remarks = all.prefix(most).map { key, meant in
      "drive.json: the key \"\(key)\" is not known and was ignored"
        + (meant.map { "; is it \"\($0)\"?" } ?? "")
    }
    guard all.count > most else { return remarks }
    return remarks + ["drive.json: \(all.count - most) more keys are not known and were ignored"]
  }

  private static func unknown(in json: JSON, of parent: String) -> [(key: String, meant: String?)] {
    guard case .object(let members) = json, let names = known[parent] else { return [] }
    let place = parent.isEmpty ? "" : parent + "."
    return members.map(\.key).filter { !names.contains($0) }.map { key in
      (place + String(key.prefix(40)), names.first { isNear($0, to: key) }.map { place + $0 })
    }
  }

  /// Whether one is the other but for case, underscores, what stands at the end, or a letter or two.
  private static func isNear(_ name: String, to key: String) -> Bool {
    let (a, b) = (letters(name), letters(key))
    guard min(a.count, b.count) > 2 else { return a == b }
    return a.starts(with: b) || b.starts(with: a) || distance(a, b) <= (min(a.count, b.count) > 4 ? 2 : 1)
  }

  private static func letters(_ text: String) -> [UInt8] {
    text.lowercased().utf8.prefix(40).filter { $0 != UInt8(ascii: "_") }
  }

  /// How many letters have to be put in, taken out or changed.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let least = min(row[j], row[j + 1], letter == other ? diagonal - 1 : diagonal)
        (diagonal, row[j + 1]) = (row[j + 1], least + 1)
      }
    }
    return row[b.count]
  }
}
