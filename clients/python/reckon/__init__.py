"""Where the car is: a client of reckond, the Reckon location service."""

from ._client import Client
from ._connection import DEFAULT_SOCKET
from ._errors import (Denied, FullAccuracyNotAllowed, LocationUnknown, NotStored, ProtocolViolation, ReckonError,
                      RegionError, ServiceUnreachable)
from ._values import Authorization, Heading, Location, Region, RegionEvent, Status, Usage, Visit

__version__ = "0.1.0"
__all__ = [
    "Authorization", "Client", "DEFAULT_SOCKET", "Denied", "FullAccuracyNotAllowed", "Heading", "Location",
    "LocationUnknown", "NotStored", "ProtocolViolation", "ReckonError", "Region", "RegionError", "RegionEvent", "ServiceUnreachable", "Status",
    "Usage", "Visit",
]
