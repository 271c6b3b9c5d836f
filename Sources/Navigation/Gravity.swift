/// Gravity where no place is known; that of a place is ``WGS84/gravity(sineLatitude:height:)``.
package enum Gravity {
  /// Standard gravity, m/s²: the g of data sheets (3rd General Conference on Weights and Measures, 1901).
  package static let standard = 9.80665
}
