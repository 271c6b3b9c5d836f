/// The definitions of the messages that we write, as their readers look for them.
enum MCAPSchemas {
  private static let line = String(repeating: "=", count: 80)
  private static let header = """
    \(line)
    MSG: std_msgs/Header
    builtin_interfaces/Time stamp
    string frame_id
    \(line)
    MSG: builtin_interfaces/Time
    int32 sec
    uint32 nanosec
    """

  /// `sensor_msgs/msg/NavSatFix`.
  static let navSatFix = """
    std_msgs/Header header
    sensor_msgs/NavSatStatus status
    float64 latitude
    float64 longitude
    float64 altitude
    float64[9] position_covariance
    uint8 COVARIANCE_TYPE_UNKNOWN=0
    uint8 COVARIANCE_TYPE_APPROXIMATED=1
    uint8 COVARIANCE_TYPE_DIAGONAL_KNOWN=2
    uint8 COVARIANCE_TYPE_KNOWN=3
    uint8 position_covariance_type
    \(line)
    MSG: sensor_msgs/NavSatStatus
    int8 STATUS_NO_FIX=-1
    int8 STATUS_FIX=0
    int8 STATUS_SBAS_FIX=1
    int8 STATUS_GBAS_FIX=2
    int8 status
    uint16 SERVICE_GPS=1
    uint16 SERVICE_GLONASS=2
    uint16 SERVICE_COMPASS=4
    uint16 SERVICE_GALILEO=8
    uint16 service
    \(header)
    """

  /// `sensor_msgs/msg/Imu`.
  static let imu = """
    std_msgs/Header header
    geometry_msgs/Quaternion orientation
    float64[9] orientation_covariance
    geometry_msgs/Vector3 angular_velocity
    float64[9] angular_velocity_covariance
    geometry_msgs/Vector3 linear_acceleration
    float64[9] linear_acceleration_covariance
    \(line)
    MSG: geometry_msgs/Quaternion
    float64 x 0
    float64 y 0
    float64 z 0
    float64 w 1
    \(line)
    MSG: geometry_msgs/Vector3
    float64 x
    float64 y
    float64 z
    \(header)
    """

  private static let time =
    #""timestamp":{"type":"object","title":"time","properties":{"sec":{"type":"integer"},"nsec":{"type":"integer"}}},"frame_id":{"type":"string"}"#

  /// `foxglove.LocationFix`.
  static let locationFix =
    #"{"title":"foxglove.LocationFix","type":"object","properties":{"# + time
    + #","latitude":{"type":"number"},"longitude":{"type":"number"},"altitude":{"type":"number"},"#
    + #""position_covariance":{"type":"array","items":{"type":"number"}},"position_covariance_type":{"type":"integer"}}}"#

  /// `foxglove.PoseInFrame`.
  static let poseInFrame =
    #"{"title":"foxglove.PoseInFrame","type":"object","properties":{"# + time
    + #","pose":{"type":"object","title":"foxglove.Pose","properties":{"position":{"type":"object","title":"foxglove.Vector3","#
    + #""properties":{"x":{"type":"number"},"y":{"type":"number"},"z":{"type":"number"}}},"orientation":{"type":"object","#
    + #""title":"foxglove.Quaternion","properties":{"x":{"type":"number"},"y":{"type":"number"},"z":{"type":"number"},"#
    + #""w":{"type":"number"}}}}}}}"#
}
