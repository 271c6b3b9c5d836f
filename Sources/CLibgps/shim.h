// What Swift needs of libgps, in static inline functions: what differs by version (API 7 to 16), or does not come over.
// Only gps_unpack is called: the socket is ours, because gps_open may block for minutes, and gps_read spins on a partial line
// and stays broken after a line longer than its buffer.
#ifndef RECKON_CLIBGPS_SHIM_H
#define RECKON_CLIBGPS_SHIM_H

#include <gps.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if GPSD_API_MAJOR_VERSION < 7
#error "libgps 3.18 (API 7) or later is needed"
#endif

// Classes of report, as bits, so that they are the same for all versions.
enum {
  RECKON_GPS_TPV = 1,
  RECKON_GPS_SKY = 2,
  RECKON_GPS_GST = 4,
  RECKON_GPS_TOFF = 8,
  RECKON_GPS_PPS = 16,
  RECKON_GPS_DEVICE = 32,
  RECKON_GPS_VERSION = 64,
  RECKON_GPS_ERROR = 128
};

// Seconds and nanoseconds since 1970 UTC; 0, 0 where there is no time.
typedef struct {
  int64_t seconds;
  int64_t nanoseconds;
} reckon_gps_time;

// A TPV in gpsd's own units (degrees, metres, m/s); NaN where it is not stated.
typedef struct {
  reckon_gps_time time;
  int mode, status;
  double latitude, longitude, altHAE, altMSL, geoidSep;
  double eph, epx, epy, epv, eps, epd;
  double track, speed, climb, velN, velE, velD;
} reckon_gps_fix;

// A GST; standard deviations in metres.
typedef struct {
  reckon_gps_time time;
  double latitude, longitude, altitude;
} reckon_gps_gst;

typedef struct {
  int constellation, number, used;
  double elevation, azimuth, strength;
} reckon_gps_satellite;

// Receiver's time and the clock of gpsd's host at one moment.
typedef struct {
  reckon_gps_time real, clock;
} reckon_gps_offset;

static inline struct gps_data_t *reckon_gps_new(void) {
  return (struct gps_data_t *)calloc(1, sizeof(struct gps_data_t));
}

static inline void reckon_gps_free(struct gps_data_t *data) { free(data); }

#if GPSD_API_MAJOR_VERSION >= 9
static inline reckon_gps_time reckon_gps_time_of(struct timespec time) {
  reckon_gps_time result = {time.tv_sec, time.tv_nsec};
  return result;
}
#else
static inline reckon_gps_time reckon_gps_time_of(double seconds) {
  reckon_gps_time result = {0, 0};
  if (seconds > 0 && seconds < 1e11) {
    result.seconds = (int64_t)seconds;
    result.nanoseconds = (int64_t)((seconds - (double)result.seconds) * 1e9);
  }
  return result;
}
#endif

// Decodes one line, which ends in NUL and is changed. Returns the classes of it, 0 if libgps knows or wants it not.
// The line must not be a DEVICES: libgps 3.22 never returns from one with a fifth device, or a key that it does not know.
static inline uint32_t reckon_gps_unpack(struct gps_data_t *data, char *line) {
  // `set` and more accumulate from call to call: a SKY would look like a TPV.
  memset(data, 0, sizeof *data);
  gps_clear_fix(&data->fix);
  gps_clear_dop(&data->dop);
  const int is_device = strncmp(line, "{\"class\":\"DEVICE\",", 18) == 0;
  if (gps_unpack(line, data) < 0) return 0;
  // libgps 3.22 refuses "activated":0, by which gpsd says that a device is gone; the path is there by then.
  if (is_device && data->dev.path[0] != 0) return RECKON_GPS_DEVICE;
  const gps_mask_t set = data->set;
  uint32_t classes = 0;
  if (set & (STATUS_SET | MODE_SET)) classes |= RECKON_GPS_TPV;
  if (set & SATELLITE_SET) classes |= RECKON_GPS_SKY;
  if (set & GST_SET) classes |= RECKON_GPS_GST;
  if (set & TOFF_SET) classes |= RECKON_GPS_TOFF;
  if (set & PPS_SET) classes |= RECKON_GPS_PPS;
  if (set & DEVICE_SET) classes |= RECKON_GPS_DEVICE;
  if (set & VERSION_SET) classes |= RECKON_GPS_VERSION;
  if (set & ERROR_SET) classes |= RECKON_GPS_ERROR;
  return classes;
}

static inline reckon_gps_fix reckon_gps_get_fix(const struct gps_data_t *data) {
  const struct gps_fix_t *from = &data->fix;
  reckon_gps_fix fix;
  fix.time = reckon_gps_time_of(from->time);
  fix.mode = from->mode;
#if GPSD_API_MAJOR_VERSION >= 10
  fix.status = from->status;
#else
  fix.status = data->status;
#endif
  fix.latitude = from->latitude;
  fix.longitude = from->longitude;
#if GPSD_API_MAJOR_VERSION >= 9
  fix.altHAE = from->altHAE;
  fix.altMSL = from->altMSL;
  fix.geoidSep = from->geoid_sep;
  fix.velN = from->NED.velN;
  fix.velE = from->NED.velE;
  fix.velD = from->NED.velD;
  // A gpsd before 3.20 states only "alt", which is above sea level for nearly all receivers.
  if (!isfinite(fix.altHAE) && !isfinite(fix.altMSL)) fix.altMSL = from->altitude;
#else
  fix.altHAE = NAN;
  fix.altMSL = from->altitude;
  fix.geoidSep = data->separation;
  fix.velN = fix.velE = fix.velD = NAN;
#endif
#if GPSD_API_MAJOR_VERSION >= 8
  fix.eph = from->eph;
#else
  fix.eph = NAN;
#endif
  fix.epx = from->epx;
  fix.epy = from->epy;
  fix.epv = from->epv;
  fix.eps = from->eps;
  fix.epd = from->epd;
  fix.track = from->track;
  fix.speed = from->speed;
  fix.climb = from->climb;
  return fix;
}

static inline reckon_gps_gst reckon_gps_get_gst(const struct gps_data_t *data) {
  reckon_gps_gst gst = {
      reckon_gps_time_of(data->gst.utctime), data->gst.lat_err_deviation, data->gst.lon_err_deviation,
      data->gst.alt_err_deviation};
  return gst;
}

static inline reckon_gps_time reckon_gps_timespec(struct timespec time) {
  reckon_gps_time result = {time.tv_sec, time.tv_nsec};
  return result;
}

// Of a TOFF or a PPS. libgps 3.22 keeps a TOFF where the PPS belongs; the other of the two is zero.
static inline reckon_gps_offset reckon_gps_get_offset(const struct gps_data_t *data) {
  const struct timedelta_t *from = data->toff.real.tv_sec != 0 ? &data->toff : &data->pps;
  reckon_gps_offset offset = {reckon_gps_timespec(from->real), reckon_gps_timespec(from->clock)};
  return offset;
}

static inline int reckon_gps_satellite_count(const struct gps_data_t *data) {
  const int count = data->satellites_visible;
  return count < 0 ? 0 : count > MAXCHANNELS ? MAXCHANNELS : count;
}

static inline reckon_gps_satellite reckon_gps_get_satellite(const struct gps_data_t *data, int index) {
  const struct satellite_t *from = &data->skyview[index];
  reckon_gps_satellite satellite;
  // Where the receiver tells no constellation, there is only the number by NMEA.
  satellite.constellation = from->svid != 0 ? (int)from->gnssid : -1;
  satellite.number = from->svid != 0 ? (int)from->svid : (int)from->PRN;
  satellite.used = from->used ? 1 : 0;
  satellite.elevation = from->elevation;
  satellite.azimuth = from->azimuth;
  satellite.strength = from->ss;
  return satellite;
}

static inline double reckon_gps_hdop(const struct gps_data_t *data) { return data->dop.hdop; }

// Path of the device that the last report came from; empty where it does not say.
static inline const char *reckon_gps_device(const struct gps_data_t *data) { return data->dev.path; }

// Whether gpsd has the device open.
static inline int reckon_gps_device_is_active(const struct gps_data_t *data) {
  return reckon_gps_time_of(data->dev.activated).seconds > 0;
}

// The least time from one report to the next that gpsd can set the device of a DEVICE line to, in seconds; 0 where it can set
// none. By the line itself, before it is decoded: libgps 3.22 puts it where the present cycle belongs.
static inline double reckon_gps_device_least_cycle(const char *line) {
  const char *key = strstr(line, "\"mincycle\":");
  return key ? strtod(key + 11, NULL) : 0;
}

// Name of gpsd's driver for the device; empty where it has not recognised it.
static inline const char *reckon_gps_device_driver(const struct gps_data_t *data) { return data->dev.driver; }

static inline const char *reckon_gps_release(const struct gps_data_t *data) { return data->version.release; }

static inline int reckon_gps_protocol(const struct gps_data_t *data) { return data->version.proto_major; }

static inline const char *reckon_gps_error(const struct gps_data_t *data) { return data->error; }

#endif
