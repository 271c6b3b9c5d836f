# Roots of Debian beside this computer's own: sourced by the scripts that make some, after setup.sh.

# debian_mirror: where this computer takes Debian's packages from; nothing where it does not say.
debian_mirror() {
  local mirror
  mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -1)
  [[ -n $mirror ]] ||
    mirror=$(sed -n 's/^deb \(\[.*\] \)\?\([^ ]*\) .*/\2/p' /etc/apt/sources.list 2>/dev/null | head -1)
  echo "$mirror"
}

# run_arm64: lets the kernel give programs for arm64 to qemu, in roots as well. Stays until the next boot.
run_arm64() {
  local registered=/proc/sys/fs/binfmt_misc
  [[ -e $registered/register ]] || mount -t binfmt_misc binfmt_misc "$registered" ||
    fail "this kernel does not let others run programs for arm64 (binfmt_misc)"
  [[ ! -e $registered/qemu-aarch64 ]] || return 0
  # The head of an ELF file for it, and which of its bits count; F: qemu is opened now, and not looked for in the root.
  printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:' \
    '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:' \
    '/usr/bin/qemu-aarch64-static:F' >"$registered/register"
}
