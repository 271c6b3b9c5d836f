// The part of Foundation that brings no ICU and its 30 MB of locales along, where there is one.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
