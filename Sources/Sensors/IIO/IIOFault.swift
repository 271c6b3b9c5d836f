/// Why an IMU cannot be read as it is.
package enum IIOFault: Error, Equatable {
  /// A call of libiio failed.
  case library(IIOError)
  /// What the device says of itself cannot be used; the text says what, and what to do.
  case unusable(String)
  /// It is to be opened anew at once, since it can be read better now.
  case improved
  /// It can never be read; the text says why.
  case hopeless(String)

  /// For people.
  package var message: String {
    switch self {
    case .library(let error): error.description + advice(error.code)
    case .unusable(let text), .hopeless(let text): text
    case .improved: "it has a buffer by now"
    }
  }

  private func advice(_ code: Int32) -> String {
    switch code {
    case 2: "; no IIO device is there: is the sensor's kernel driver loaded?"
    case 6: "; nothing answers to that: is it plugged in? iio_info -S lists what is there"
    case 13, 1: "; no permission: see the udev rules of the installation, or run as root"
    case 16:
      "; another program reads it: stop iiod or iio-sensor-proxy, or read through iiod with ip:localhost"
    case 19: "; it was unplugged, or its driver removed"
    case 111: "; nothing listens there: is iiod running?"
    default: ""
    }
  }
}
