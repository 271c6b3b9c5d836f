// Drives
