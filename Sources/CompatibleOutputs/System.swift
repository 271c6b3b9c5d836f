import CLibrary

/// Options of TCP that NIO has no names for: seconds until the first probe of a silent peer, seconds between
/// probes, and how many go unanswered before the connection is given up.
let (keepAliveIdle, keepAliveInterval, keepAliveCount) = (
  CInt(TCP_KEEPIDLE), CInt(TCP_KEEPINTVL), CInt(TCP_KEEPCNT)
)
