#!/bin/sh
# Checks the formal specification, and that package spec is its twin:
#
#   graph     every invariant in every state, and every edge equal to package spec
#   safety    every invariant in every state, at a bound that is only counted
#   liveness  what must happen in the end
#   bug       each injected mistake is found: by an invariant, by a claim, by the twin
#
#   spec/check.sh            the whole check, under 150 s on two cores
#   LONG=1 spec/check.sh     larger bounds too, up to 13 million states
#   JOBS=n spec/check.sh     n jobs at a time (default: the number of cores)
#
# Needs go and gcc; installs spin with apt-get when it is missing. Leaves nothing behind.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

depth=4000000 # of the search, in steps; a search that needs more fails
[ -z "${LONG:-}" ] || depth=12000000

# --- one job, in a directory of its own ---------------------------------------------

build() { # spin flags, gcc flags
	# shellcheck disable=SC2086
	spin $1 -a "$here/scheduler.pml" >spin.log 2>&1 || fail spin.log
	# shellcheck disable=SC2086
	gcc -w -DNOREDUCE -DMEMLIM=4000 $2 -o pan pan.c || fail spin.log
}
fail() { # log
	echo "FAILED: $what"
	cat "$1"
	exit 255 # makes xargs stop at once
}
row() { printf '%-9s %-38s %-34s %4d s\n' "$1" "$2" "$3" $(($(date +%s) - began)); }
bound() { # fibers, trampolines, tokens, tickets
	echo "-DNF=$1 -DNT=$2 -DNK=$3 -DNW=$4"
}
# The verifier says "errors: 0" also when it was cut short: that is no result.
errors() {
	found=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' out)
	if [ "$found" = 0 ] && grep -qiE 'too small|not completed|MEMLIM|out of memory|aborted' out; then
		found=incomplete
	fi
	grep -q '^pan: elapsed time' out || found=incomplete
	echo "$found"
}
clean() { [ "$(errors)" = 0 ] || fail out; }
states() { sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' out; }

job_graph() {
	build "$(bound "$@") -DLTS" "-O1 -DSAFETY"
	# The twin prints what it compared, and the verifier's own lines.
	./pan -m$depth 2>&1 | "$tmp/ltscmp" scheduler -f "$1" -t "$2" -k "$3" -w "$4" >out || fail out
	clean
	grep -q "^states=$(states) .* differences=0$" out || fail out
	row graph "F$1 T$2 K$3 W$4" "$(states) states, $(sed -n 's/.* edges=\([0-9]*\) .*/\1/p' out) edges"
}
job_safety() {
	build "$(bound "$@")" "-O1 -DSAFETY"
	./pan -m$depth >out 2>&1 || fail out
	clean
	row safety "F$1 T$2 K$3 W$4" "$(states) states"
}
job_liveness() { # claim
	build "$(bound 2 1 1 1) -DLIVE" "-O1"
	./pan -m$depth -a -n -N "$1" >out 2>&1 || fail out
	clean
	row liveness "$1" "$(states) states"
}
# A bug that an invariant finds, by the shortest way; its replay names the invariant.
job_bug() { # number, invariant
	flags="$(bound 1 2 1 2) -DBUG=$1"
	build "$flags" "-O0 -DSAFETY -DBFS"
	./pan >out 2>&1 || fail out
	[ "$(errors)" = 1 ] || fail out
	# shellcheck disable=SC2086
	spin $flags -k scheduler.pml.trail -t "$here/scheduler.pml" >trail 2>&1 || fail trail
	grep -q "BROKEN $2\$" trail || fail trail
	row bug "$1 breaks $2" "$(grep -c ACT trail) actions"
}
# A bug that a claim finds: the claims are not empty.
job_claim() { # number, claim
	build "$(bound 2 1 1 1) -DLIVE -DBUG=$1" "-O0"
	./pan -m$depth -a -n -N "$2" >out 2>&1 || fail out
	{ [ "$(errors)" = 1 ] && grep -q 'acceptance cycle' out; } || fail out
	row bug "$1 breaks $2" "found"
}
# A bug that only the twin finds: the comparison is awake.
job_twin() { # number
	build "$(bound 2 0 0 1) -DLTS -DBUG=$1" "-O0 -DSAFETY"
	./pan -m$depth >out 2>&1 || fail out
	clean
	if "$tmp/ltscmp" scheduler -f 2 -t 0 -k 0 -w 1 <out >cmp 2>&1; then fail cmp; fi
	row bug "$1 differs from package spec" "found"
}

if [ "${1:-}" = job ]; then
	shift
	what=$* began=$(date +%s)
	dir=$(mktemp -d "$tmp/job.XXXXXX")
	cd "$dir"
	kind=$1
	shift
	"job_$kind" "$@"
	cd "$tmp"
	rm -rf "$dir"
	exit 0
fi

# --- all of them ----------------------------------------------------------------------

command -v spin >/dev/null || {
	echo "installing spin"
	sudo=$([ "$(id -u)" = 0 ] || echo sudo)
	$sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends spin >/dev/null
}
tmp=$(mktemp -d)
export tmp
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
(cd "$here" && go build -o "$tmp/ltscmp" ./internal/ltscmp)
started=$(date +%s)

# The long ones first, so that no core is idle at the end.
{
	[ -z "${LONG:-}" ] || cat <<'JOBS'
safety 2 1 1 2
safety 2 1 0 2
JOBS
	cat <<'JOBS'
safety 2 2 1 1
safety 2 1 2 1
graph 2 2 0 1
graph 2 0 1 2
graph 3 0 0 1
graph 1 2 1 2
graph 2 1 1 1
graph 1 1 1 2
liveness no_starvation
liveness no_lost_wake
liveness io_returns
liveness cancel_is_heard
liveness kill_is_heard
bug 1 I1
bug 2 I2
bug 3 I3
bug 4 I4
bug 5 I5
bug 6 I5
bug 7 I8
bug 8 I10
bug 9 I12
bug 10 I13
bug 11 I9
bug 12 I12
bug 14 I9
bug 15 I9
bug 16 I9
bug 17 I2
bug 18 I13
claim 11 no_lost_wake
claim 12 io_returns
claim 13 no_starvation
claim 14 cancel_is_heard
claim 15 kill_is_heard
claim 16 no_lost_wake
twin 13
JOBS
} | xargs -P "${JOBS:-$(nproc)}" -L 1 "$here/check.sh" job
echo "all of it holds; $(($(date +%s) - started)) s"
