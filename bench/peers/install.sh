#!/bin/sh
# Installs the runtimes that bench -peers compares with, from Debian's packages.
set -eu
command -v apt-get >/dev/null || { echo "bench/peers: no apt-get here; install lua5.4, luajit, erlang and Debian's tokio another way" >&2; exit 1; }
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -q
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends \
	lua5.4 luajit erlang-base librust-tokio-dev librust-libc-dev cargo rustc
