# Shared by the scripts and .ci/run: sourced, never run. Needs bash 4.4 or later.
# After sourcing, the working directory is the root of the package, wherever the caller stood.
set -euo pipefail
CDPATH="" cd -- "$(dirname "${BASH_SOURCE[0]}")/../.."

# A stalled fetch ends by itself and never asks for a password.
export GIT_TERMINAL_PROMPT=0 GIT_HTTP_LOW_SPEED_LIMIT=1000 GIT_HTTP_LOW_SPEED_TIME=60

# What a build takes beside the toolchain on Debian 12: git and ca-certificates fetch the packages, gcc and
# libstdc++-12-dev bring the C library and the linker, the others are libraries that the toolchain itself loads.
debian_packages=(
  ca-certificates git gcc libstdc++-12-dev libcurl4 libncurses6 libsqlite3-0 libxml2
  pkg-config libgps-dev libiio-dev libsqlite3-dev
)
swift_needed=6.2

say() { printf '\n==> %s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
fail() {
  printf 'error: %s\n' "$1" >&2
  shift
  (($# == 0)) || printf '       %s\n' "$@" >&2
  exit 1
}

# bounded LIMIT COMMAND...: runs it in the foreground for at most LIMIT (as timeout(1) reads it: 90s, 20m).
bounded() {
  local limit=$1 code=0
  shift
  command -v timeout >/dev/null || { "$@" && return || return $?; } # not every system has it
  timeout --foreground --kill-after=30s "$limit" "$@" || code=$?
  ((code != 124 && code != 137)) || fail "stopped after $limit: $*"
  return "$code"
}

# commit_here: the commit of the work tree, with -dirty where tracked files differ; nothing outside of git.
commit_here() {
  local commit
  commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || return 0
  [[ -z $(git status --porcelain --untracked-files=no) ]] || commit+=-dirty
  echo "$commit"
}

is_debian_12() {
  [[ -r /etc/os-release ]] && (. /etc/os-release && [[ ${ID:-} == debian && ${VERSION_ID:-} == 12 ]])
}

# apt_get ARGUMENTS...: as root or by sudo, without questions, without waiting for ever.
apt_get() {
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "packages are missing, and this is neither root nor is there sudo" \
      "as root: apt-get update && apt-get install ${missing[*]}"
    as_root=(sudo)
    [[ -t 0 ]] || as_root+=(-n) # nobody there to type a password
  fi
  bounded 15m "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -qq --no-install-recommends \
    -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 -o Acquire::http::Timeout=30 "$@" ||
    fail "apt-get $* failed (see above)" "needed: ${missing[*]}"
}

install_packages() {
  local package status
  missing=()
  if ! is_debian_12; then
    command -v git >/dev/null && { command -v cc || command -v clang; } >/dev/null ||
      fail "git or a C compiler is missing, and this is not Debian 12, so nothing is installed for you" \
        "install what your system calls: ${debian_packages[*]}"
    warn "this is not Debian 12, where these scripts are tested; going on with what is here"
    return
  fi
  for package in "${debian_packages[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=absent
    [[ $status == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  say "Installing ${missing[*]}"
  apt_get update
  apt_get install "${missing[@]}"
}

get=(
  "get Swift $swift_needed or later from https://www.swift.org/install/linux/ (Debian 12),"
  "and put its usr/bin folder on PATH"
)

require_swift() {
  local printed
  printed=$(bounded 2m swift --version 2>&1) ||
    fail "swift --version fails: $printed" "the toolchain is broken or lacks a library; ${get[@]}"
  [[ $printed =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] ||
    fail "cannot read the version of $(command -v swift): $printed" "${get[@]}"
  local found=${BASH_REMATCH[1]}.${BASH_REMATCH[2]}
  ((BASH_REMATCH[1] * 1000 + BASH_REMATCH[2] >= ${swift_needed%.*} * 1000 + ${swift_needed#*.})) ||
    fail "Swift $found is too old" "${get[@]}"
}

# What can be said before anything is installed. The version of Swift cannot: it loads libraries of those packages.
! declare -F check_arguments >/dev/null || check_arguments "$@"
command -v swift >/dev/null || fail "swift is not on PATH" "${get[@]}"
install_packages
# Asked for by whoever measures: callgrind counts instructions, and a peer of our filter is written on Eigen. What needs
# them says so and is left out where they cannot be had.
if [[ ${needs_benchmark_packages:-} == yes ]]; then
  (
    debian_packages=(valgrind libeigen3-dev)
    install_packages
  ) || warn "going on without valgrind or libeigen3-dev"
fi
# Daemons that tests run on private ports; those tests are left out, and say so, where a daemon cannot be had.
if [[ ${needs_daemons:-} == yes ]]; then
  (
    debian_packages=(gpsd gpsd-clients gpsd-tools iiod libiio-utils tmux dbus geoclue-2.0 geoclue-2-demo mosquitto
      mosquitto-clients)
    install_packages
  ) || warn "going on without gpsd, its clients, iiod, GeoClue or mosquitto"
  # What shows the report and the live page, and reads what we write. By itself: 150 MB to fetch, above all the browser,
  # which takes about 80 s.
  (
    debian_packages=(chromium gpsbabel gdal-bin)
    install_packages
  ) || warn "going on without chromium, gpsbabel or gdal-bin"
  # Peers in Python, in a venv that the build folder keeps: a minute, once.
  if [[ -z ${RECKON_PYTHON:-} ]]; then
    if [[ -e .build/python/.whole-4 ]] || (
      # Joined by &&: bash does not stop at failures within a condition.
      debian_packages=(python3-venv)
      install_packages && rm -rf .build/python && mkdir -p .build && bounded 2m python3 -m venv .build/python &&
        bounded 5m .build/python/bin/pip install -q --disable-pip-version-check \
          numpy evo mcap-ros2-support pyulog ray websockets pmtiles pandas && : >.build/python/.whole-4
    ); then
      export RECKON_PYTHON=$PWD/.build/python/bin/python3
    else
      warn "going on without evo, mcap-ros2-support, pyulog, ray, websockets, pmtiles and pandas"
    fi
  fi
fi
require_swift
