#!/bin/sh
# Checks the formal models, and that the packages in Go are their twins:
#
#   scheduler.pml   spec            the scheduler
#   channel.pml     spec/channel    channels and selects
#   mutex.pml       spec/mutex      a lock with an owner
#   inbox.pml       (threads)       commands from other threads, and a driver that sleeps
#
#   graph     every invariant in every state, and every edge equal to the twin
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

# --- the models -----------------------------------------------------------------------

# bounds MODEL WHAT BOUNDS are BOUNDS if there are any, else those at which bugs are
# looked for, claims held, and the mistake that only the twin shows is shown.
bounds() {
	[ $# -eq 2 ] || {
		shift 2
		echo "$*"
		return
	}
	case "$1 $2" in
	"scheduler bugs") echo 1 2 1 2 ;;
	"scheduler claims") echo 2 1 1 1 ;;
	"scheduler twin") echo 2 0 0 1 2 ;;
	"channel bugs") echo 3 1 1 0 1 ;;
	"channel claims") echo 3 1 1 0 0 ;;
	"channel twin") echo 2 1 1 0 1 ;;
	mutex*) echo 3 0 ;;
	"inbox bugs") echo 2 1 ;;
	esac
}
defines() { # model, its bounds
	case $1 in
	scheduler) echo "-DNF=$2 -DNT=$3 -DNK=$4 -DNW=$5 -DND=${6:-0} -DNM=${7:-0} -DNG=${8:-0}" ;; # fibers, trampolines, tokens, tickets, deadlines, masks, grace
	channel) echo "-DNF=$2 -DNC=$3 -DCAP0=$4 -DCAP1=$5 -DSEL=$6" ;; # fibers, channels, capacities, selects
	mutex) echo "-DNF=$2 -DHANDON=$3" ;; # fibers, policy
	inbox) echo "-DNP=$2 -DNM=$3" ;; # posters, commands of each
	esac
}
flags() { # model, its bounds
	case $1 in
	scheduler) echo "-f $2 -t $3 -k $4 -w $5 -d ${6:-0} -m ${7:-0} -g=${8:-0}" ;;
	channel) echo "-f $2 -c $3 -b0 $4 -b1 $5 -s=$6" ;;
	mutex) echo "-f $2 -h=$3" ;;
	esac
}

# --- one job, in a directory of its own ---------------------------------------------

build() { # model, spin flags, gcc flags
	# shellcheck disable=SC2086
	spin $2 -a "$here/$1.pml" >spin.log 2>&1 || fail spin.log
	# shellcheck disable=SC2086
	gcc -w -DNOREDUCE -DMEMLIM=4000 $3 -o pan pan.c || fail spin.log
}
compare() { # model, its bounds; reads the edges
	# shellcheck disable=SC2046
	"$tmp/ltscmp" "$1" $(flags "$@")
}
fail() { # log
	echo "FAILED: $what"
	cat "$1"
	exit 255 # makes xargs stop at once
}
row() { printf '%-9s %-44s %-34s %4d s\n' "$1" "$2" "$3" $(($(date +%s) - began)); }
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

job_graph() { # model, its bounds
	build "$1" "$(defines "$@") -DLTS" "-O1 -DSAFETY"
	# The twin prints what it compared, and the verifier's own lines.
	./pan -m$depth 2>&1 | compare "$@" >out || fail out
	clean
	grep -q "^states=$(states) .* differences=0$" out || fail out
	row graph "$*" "$(states) states, $(sed -n 's/.* edges=\([0-9]*\) .*/\1/p' out) edges"
}
job_safety() { # model, its bounds
	build "$1" "$(defines "$@")" "-O1 -DSAFETY"
	./pan -m$depth >out 2>&1 || fail out
	clean
	row safety "$*" "$(states) states"
}
job_liveness() { # model, claim, [bounds]
	model=$1 claim=$2
	shift 2
	# shellcheck disable=SC2046
	build "$model" "$(defines "$model" $(bounds "$model" claims "$@")) -DLIVE" "-O1"
	./pan -m$depth -a -n -N "$claim" >out 2>&1 || fail out
	clean
	row liveness "$model: $claim" "$(states) states"
}
# A bug that an invariant finds, by the shortest way; its replay names the invariant.
job_bug() { # model, number, invariant, [bounds]
	model=$1 number=$2 rule=$3
	shift 3
	# shellcheck disable=SC2046
	flags="$(defines "$model" $(bounds "$model" bugs "$@")) -DBUG=$number"
	build "$model" "$flags" "-O0 -DSAFETY -DBFS"
	./pan >out 2>&1 || fail out
	[ "$(errors)" = 1 ] || fail out
	# shellcheck disable=SC2086
	spin $flags -k "$model.pml.trail" -t "$here/$model.pml" >trail 2>&1 || fail trail
	grep -q "BROKEN $rule\$" trail || fail trail
	row bug "$model: $number breaks $rule" "$(grep -c ACT trail) actions"
}
# A bug that a claim finds: the claims are not empty.
job_claim() { # model, number, claim, [bounds]
	model=$1 number=$2 claim=$3
	shift 3
	# shellcheck disable=SC2046
	build "$model" "$(defines "$model" $(bounds "$model" claims "$@")) -DLIVE -DBUG=$number" "-O0"
	./pan -m$depth -a -n -N "$claim" >out 2>&1 || fail out
	{ [ "$(errors)" = 1 ] && grep -q 'acceptance cycle' out; } || fail out
	row bug "$model: $number breaks $claim" "found"
}
# A bug that only the twin finds: the comparison is awake.
job_twin() { # model, number
	# shellcheck disable=SC2046
	set -- "$1" "$2" $(bounds "$1" twin)
	model=$1 number=$2
	shift 2
	build "$model" "$(defines "$model" "$@") -DLTS -DBUG=$number" "-O0 -DSAFETY"
	./pan -m$depth >out 2>&1 || fail out
	clean
	if compare "$model" "$@" <out >cmp 2>&1; then fail cmp; fi
	grep -q '^states=.* differences=[1-9]' cmp || fail cmp
	row bug "$model: $number differs from the twin" "found"
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
safety scheduler 2 1 1 2
safety scheduler 2 1 0 2
safety channel 3 2 1 0 1
safety inbox 2 2
JOBS
	cat <<'JOBS'
safety scheduler 2 2 1 1
safety scheduler 2 1 2 1
safety inbox 2 1
safety inbox 1 3
graph scheduler 2 2 0 1
graph scheduler 2 0 1 2
graph scheduler 3 0 0 1
graph scheduler 1 2 1 2
graph scheduler 2 1 1 1
graph scheduler 2 1 0 1 2
graph scheduler 2 0 1 1 1
graph scheduler 1 2 1 1 1
graph scheduler 2 0 0 1 1 1
graph scheduler 1 1 1 1 1 2
graph scheduler 1 1 1 1 2 1 1
graph scheduler 2 0 0 1 1 0 1
graph scheduler 1 1 1 2
graph channel 3 1 1 0 1
graph channel 2 2 1 0 1
graph channel 3 1 0 0 1
graph channel 3 1 2 0 0
graph mutex 4 0
graph mutex 4 1
graph mutex 3 0
liveness scheduler no_starvation
liveness scheduler no_lost_wake
liveness scheduler io_returns
liveness scheduler cancel_is_heard
liveness scheduler kill_is_heard
liveness scheduler timer_returns 2 0 0 1 2
liveness channel receiver_is_served
liveness channel sender_is_served
liveness channel close_is_heard
liveness mutex waiter_is_served
liveness mutex poison_is_heard
liveness mutex death_is_heard
bug scheduler 1 I1
bug scheduler 2 I2
bug scheduler 3 I3
bug scheduler 4 I4
bug scheduler 5 I5
bug scheduler 6 I5
bug scheduler 7 I8
bug scheduler 8 I10
bug scheduler 9 I12
bug scheduler 10 I13
bug scheduler 11 I9
bug scheduler 12 I12
bug scheduler 14 I9
bug scheduler 15 I9
bug scheduler 16 I9
bug scheduler 17 I2
bug scheduler 18 I13
bug scheduler 19 I10 1 1 1 1 1
bug scheduler 20 I5 1 1 1 1 1
bug scheduler 21 I9 1 1 1 1 1
bug scheduler 23 I9 1 1 1 1 0 1
bug scheduler 24 I6 1 1 1 1 0 1
bug scheduler 25 I6 1 1 1 1 0 1
bug scheduler 26 I10 1 1 1 1 1 0 1
bug scheduler 27 I9 1 1 1 1 1 0 1
claim scheduler 11 no_lost_wake
claim scheduler 12 io_returns
claim scheduler 13 no_starvation
claim scheduler 14 cancel_is_heard
claim scheduler 15 kill_is_heard
claim scheduler 16 no_lost_wake
claim scheduler 21 timer_returns 2 0 0 1 2
twin scheduler 13
twin scheduler 22
bug channel 1 I10
bug channel 2 I11
bug channel 3 I9
bug channel 4 I11
bug channel 5 I11
bug channel 6 I11
bug channel 7 I11
bug channel 8 I9
bug channel 9 I10
bug channel 10 I11
bug channel 11 I11
bug channel 12 I12
bug channel 14 I11
bug channel 15 I12
claim channel 2 receiver_is_served
claim channel 14 sender_is_served
claim channel 8 close_is_heard
twin channel 13
bug mutex 1 I11
bug mutex 2 I11
bug mutex 3 I10
bug mutex 4 I12
bug mutex 5 I12
bug mutex 6 I9
bug mutex 7 I11
bug mutex 8 I11
bug mutex 9 I11
bug mutex 11 I11
bug mutex 12 I9
claim mutex 2 waiter_is_served
claim mutex 6 poison_is_heard
claim mutex 4 death_is_heard
claim mutex 5 death_is_heard
twin mutex 10
bug inbox 1 I9
bug inbox 2 I9
bug inbox 3 I11
bug inbox 4 I9
bug inbox 5 I9
bug inbox 6 I9
bug inbox 7 I9
bug inbox 8 I11
bug inbox 9 I9
bug inbox 10 I9
bug inbox 11 I9
JOBS
} | xargs -P "${JOBS:-$(nproc)}" -L 1 "$here/check.sh" job
echo "all of it holds; $(($(date +%s) - started)) s"
