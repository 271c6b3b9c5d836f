// One program under two names: reckon and reckond share the Swift runtime, which is most of either.
// scripts/package links it to the objects of both, whose entry points SwiftPM names after their modules.
#include <stdint.h>
#include <string.h>

int reckon_main(int argc, char **argv);
int reckond_main(int argc, char **argv);

int main(int argc, char **argv) {
  const char *path = argc > 0 ? argv[0] : "";
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  return strcmp(name, "reckond") == 0 ? reckond_main(argc, argv) : reckon_main(argc, argv);
}

#ifdef WITHOUT_ICU_DATA
// Foundation comes with 30 MB of locales that no code of ours asks for. An empty table in their place, in
// ICU's own "common data" format (ucmndata.h), makes ICU find nothing and say so; the linker then leaves the
// archive's member with the tables out.
struct icu_data {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size, reserved_word;
  uint8_t is_big_endian, charset_family, size_of_uchar, reserved_byte;
  uint8_t data_format[4], format_version[4], data_version[4], padding[8];
  uint32_t count, reserved, contents[4];
};

__attribute__((aligned(16))) const struct icu_data WITHOUT_ICU_DATA = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .size_of_uchar = 2,
    .data_format = "ToCP",
    .format_version = {1},
};
#endif
