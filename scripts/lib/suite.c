// One program under two names: reckon and reckond share the Swift runtime, which is most of either.
// scripts/package links it to the objects of both, whose entry points SwiftPM names after their modules.
#include <string.h>

int reckon_main(int argc, char **argv);
int reckond_main(int argc, char **argv);

int main(int argc, char **argv) {
  const char *path = argc > 0 ? argv[0] : "";
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  return strcmp(name, "reckond") == 0 ? reckond_main(argc, argv) : reckon_main(argc, argv);
}
