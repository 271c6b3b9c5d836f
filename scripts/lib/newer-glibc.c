// What Debian's Swift for arm64 calls of a newer C library than Debian 12 has (2.38), by what that has: see scripts/arm64.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int count = vsscanf(text, format, values);
  va_end(values);
  return count;
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t most = length < size ? length : size - 1;
    memcpy(to, from, most);
    to[most] = 0;
  }
  return length;
}
