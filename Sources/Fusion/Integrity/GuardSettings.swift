/// What the guard is told of the engine's settings: no more, because every snapshot has a copy.
struct GuardSettings: Sendable {
  let disabled: FusionModelSet
  let fixes: FixConfiguration
  let wheel: WheelConfiguration
  let modelError: ModelError
  /// As ``StartConfiguration``, ``VehicleConfiguration`` and ``FusionConfiguration`` have them.
  let unknownHeightSigma, axleDegreesOfFreedom, highestSpeed: Double

  init(_ settings: FusionConfiguration) {
    (disabled, fixes, wheel) = (settings.disabled, settings.fixes, settings.wheel)
    modelError = settings.modelError
    unknownHeightSigma = settings.start.unknownHeightSigma
    axleDegreesOfFreedom = settings.vehicle.degreesOfFreedom
    highestSpeed = settings.highestSpeed
  }
}
