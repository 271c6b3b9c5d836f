import Foundation

/// A drive of 60 s that stands still, of fixes only.
enum StandingDrive {
  /// Writes it into `folder`, so many metres north of ``Made/home``; its path.
  static func write(_ folder: String, north: Double = 0) throws -> String {
    let path = "\(folder)/drive\(Int(north))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    var gnss =
      "time_s,latitude_deg,longitude_deg,height_m,sigma_north_m,sigma_east_m,sigma_down_m,velocity_north_m_s,velocity_east_m_s,velocity_down_m_s\n"
    for i in 0...600 { gnss += "\(Double(i) / 10),\(48 + north / 111_195),11,500,1,1,2,0,0,0\n" }
    try "{\"name\": \"still\", \"kind\": \"simulated\"}".write(
      toFile: path + "/drive.json", atomically: true, encoding: .utf8)
    try gnss.write(toFile: path + "/gnss.csv", atomically: true, encoding: .utf8)
    return path
  }
}
