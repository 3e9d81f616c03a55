#!/bin/sh
# Checks the formal models, and that the packages in Go are their twins:
#
#   scheduler.pml   spec            the scheduler
#   channel.pml     spec/channel    channels and selects
#   mutex.pml       spec/mutex      a lock with an owner
#   move.pml        spec/move       fibers that move between two schedulers
#   inbox.pml       (threads)       commands from other threads, and a driver that sleeps
#   proof.dfy       (any number)    the invariants, and that a stale ticket is always refused
#   panic.pml       spec/panics     deferred calls, panics, recovery
#
# What is checked, row by row, is in rows.txt, which also says how a row is written.
#
#   spec/check.sh            what each push has to pass, under three minutes on two cores
#   LONG=1 spec/check.sh     larger bounds too, up to 13 million states, and the long proofs
#   JOBS=n spec/check.sh     n jobs at a time (default: the number of cores)
#   spec/check.sh WORDS      only the rows that have these words: 'bug mutex'
#
# Needs go and gcc; installs spin, dafny and z3 with apt-get when they are missing. Leaves nothing behind.
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
	"mutex twin") echo 3 0 1 ;;
	mutex*) echo 3 0 ;;
	"move twin") echo 2 1 ;;
	move*) echo 2 2 ;;
	"inbox bugs") echo 2 1 ;;
	"panic "*) echo 1 2 2 2 ;;
	esac
}
defines() { # model, its bounds
	case $1 in
	scheduler) # fibers, trampolines, tokens, tickets, deadlines, masks, grace, pins, all nest, lives, moves, outside, lends, fronts, runs, holds, free
		echo "-DNF=$2 -DNT=$3 -DNK=$4 -DNW=$5 -DND=${6:-0} -DNM=${7:-0} -DNG=${8:-0} -DNP=${9:-0} -DNA=${10:-0} -DNL=${11:-0} -DNV=${12:-0} -DNO=${13:-0} -DNE=${14:-0} -DNQ=${15:-0} -DNR=${16:-0} -DNH=${17:-0} -DNX=${18:-0}"
		;;
	channel) echo "-DNF=$2 -DNC=$3 -DCAP0=$4 -DCAP1=$5 -DSEL=$6" ;; # fibers, channels, capacities, selects
	mutex) echo "-DNF=$2 -DHANDON=$3 -DNC=${4:-0}" ;; # fibers, policy, condition
	move) echo "-DNP=$2 -DNS=$3" ;; # fibers, slots of each scheduler
	inbox) echo "-DNP=$2 -DNM=$3" ;; # posters, commands of each
	panic) echo "-DNM=$2 -DNR=$3 -DND=$4 -DNG=$5" ;; # machines, frames, calls, panics
	esac
}
flags() { # model, its bounds
	case $1 in
	scheduler) echo "-f $2 -t $3 -k $4 -w $5 -d ${6:-0} -m ${7:-0} -g=${8:-0} -p ${9:-0} -a=${10:-0} -l ${11:-0} -v=${12:-0} -o=${13:-0} -e=${14:-0} -q=${15:-0} -r=${16:-0} -h=${17:-0} -x=${18:-0}" ;;
	channel) echo "-f $2 -c $3 -b0 $4 -b1 $5 -s=$6" ;;
	mutex) echo "-f $2 -h=$3 -c=${4:-0}" ;;
	move) echo "-f $2 -s $3" ;;
	panic) echo "-m $2 -r $3 -d $4 -g $5" ;;
	esac
}

# What gcc is to do: a large search is worth more compiling than a small one.
optimize() { # model
	case $1 in
	scheduler | inbox) echo -O1 ;;
	*) echo -O0 ;;
	esac
}

# --- what jobs are made of ------------------------------------------------------------

# Sets pan to the verifier, which is built once for all the jobs that ask for the same.
build() { # model, spin flags, gcc flags
	made=$tmp/made/$(echo "$*" | tr -d ' ')
	pan=$made/pan defined=$2
	mkdir -p "$made"
	(
		flock 9
		[ ! -x "$pan" ] || exit 0
		cd "$made"
		# shellcheck disable=SC2086
		spin $2 -a "$here/$1.pml" && gcc -w -DNOREDUCE -DMEMLIM=4000 $3 -o new pan.c && mv new pan
	) 9>"$made/lock" >"$made/log" 2>&1 || fail "$made/log"
}
compare() { # model, its bounds; reads the edges
	# shellcheck disable=SC2046
	"$tmp/ltscmp" "$1" $(flags "$@")
}
fail() { # log
	echo "FAILED: $what"
	cat "$1"
	[ ! -e "$model.pml.trail" ] || { echo "by these actions:" && replay && list; }
	exit 255 # makes xargs stop at once
}
# Plays the verifier's counterexample; trail is what it printed. Spin goes on to the end of
# the action that breaks an invariant, and so can name it; but of claims it knows only one,
# and it does not print edges.
replay() { # claim, if it is of one
	case ${1:-$defined} in
	*LTS*) "$pan" -n -r "$model.pml.trail" | sed -n 's/^E [^|]*|\(.*\) [^ ]*|.*/ACT \1/p' >trail ;;
	-D*) # shellcheck disable=SC2086
		spin $defined "-DBUG=${BUG:-0}" -k "$model.pml.trail" -t "$here/$model.pml" >trail 2>&1 || fail trail
		;;
	*) "$pan" -n -r "$model.pml.trail" -N "$1" >trail 2>&1 || true ;;
	esac
}
# The actions of the trail, the last ones if they are many, on lines that fit.
list() {
	awk '
		sub(/^ *ACT /, "") { text[n++] = $0 ";" }
		/START OF CYCLE/ { text[n++] = "and without end:" }
		END {
			i = n > 50 ? n - 40 : 0
			if (i > 0) printf "… "
			for (; i < n - 1; i++) printf "%s ", text[i]
			print substr(text[n-1], 1, length(text[n-1]) - 1)
		}' trail | fold -s -w 88 | sed 's/^/          /; s/ *$//'
}
row() { # kind, what, found, [a list below it]
	printf '%-9s %-44s %-34s %4d s%s\n' "$1" "$2" "$3" $(($(date +%s) - began)) "${4:+
$4}"
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
# Looks for an endless run that breaks the claim, a short one first.
cycle() { # claim
	for steps in 20 25 30 35 40 50 60 80 100 150 200 $depth; do
		"$pan" -w20 -m$steps -a -n -N "$1" >out 2>&1 || return
		! grep -q 'acceptance cycle' out || return 0
	done
	return 1
}

# --- the jobs, each in a directory of its own -----------------------------------------

# Random walks of the twin, far longer than any shortest way, replayed action by action.
job_trail() { # model, its bounds
	walked=0
	for seed in 1 2 3 4; do
		# shellcheck disable=SC2046
		"$tmp/ltscmp" "$1" $(flags "$@") -trail $seed >walk.pml || fail walk.pml
		# shellcheck disable=SC2046
		spin -T $(sed -n '1s/.*spin -T \(.*\) -DTRAIL.*/\1/p' walk.pml) -DTRAIL="$PWD/walk.pml" "$here/$model.pml" >out 2>&1 || fail out
		sed -n 's,.*/\* \(ACT .*\) \*/,\1,p' walk.pml >want
		sed -n 's/^ *ACT/ACT/p' out >got
		cmp -s want got || fail out
		walked=$((walked + $(wc -l <got)))
	done
	row trail "$*" "$walked actions"
}
job_graph() { # model, its bounds
	build "$model" "$(defines "$@") -DLTS" "$(optimize "$model") -DSAFETY"
	# The twin prints what it compared, and the verifier's own lines.
	"$pan" -m$depth 2>&1 | compare "$@" >out || fail out
	clean
	grep -q "^states=$(states) .* differences=0$" out || fail out
	row graph "$*" "$(states) states, $(sed -n 's/.* edges=\([0-9]*\) .*/\1/p' out) edges"
}
job_safety() { # model, its bounds
	build "$model" "$(defines "$@")" "-O2 -DSAFETY"
	"$pan" -m$depth >out 2>&1 || fail out
	clean
	row safety "$*" "$(states) states"
}
job_liveness() { # model, claim, [bounds]
	claim=$2
	shift 2
	# shellcheck disable=SC2046
	build "$model" "$(defines "$model" $(bounds "$model" claims "$@")) -DLIVE" "$(optimize "$model")"
	"$pan" -m$depth -a -n -N "$claim" >out 2>&1 || fail out
	[ "$(errors)" = 0 ] || {
		if cycle "$claim"; then replay "$claim" && list >>out; fi
		rm -f ./*.trail
		fail out
	}
	row liveness "$model: $claim" "$(states) states"
}
# A bug that an invariant finds, by the shortest way; its replay names the invariant.
job_bug() { # model, number, invariant, [bounds]
	BUG=$2 rule=$3
	export BUG
	shift 3
	# shellcheck disable=SC2046
	build "$model" "$(defines "$model" $(bounds "$model" bugs "$@"))" "-O0 -DSAFETY -DBFS"
	"$pan" >out 2>&1 || fail out
	[ "$(errors)" = 1 ] || fail out
	replay
	grep -q "BROKEN $rule\$" trail || fail trail
	row bug "$model: $BUG breaks $rule" "$(grep -c ACT trail) actions" "$(list)"
}
# A bug that a claim finds: the claims are not empty.
job_claim() { # model, number, claim, [bounds]
	BUG=$2 claim=$3
	export BUG
	shift 3
	# shellcheck disable=SC2046
	build "$model" "$(defines "$model" $(bounds "$model" claims "$@")) -DLIVE" "$(optimize "$model")"
	cycle "$claim" || fail out
	[ "$(errors)" = 1 ] || fail out
	replay "$claim"
	grep -q ACT trail || fail trail
	row bug "$model: $BUG breaks $claim" "$(grep -c ACT trail) actions" "$(list)"
}
# A bug that only the twin finds: the comparison is awake.
job_twin() { # model, number
	BUG=$2
	export BUG
	# shellcheck disable=SC2046
	set -- "$model" $(bounds "$model" twin)
	build "$model" "$(defines "$@") -DLTS" "$(optimize "$model") -DSAFETY"
	"$pan" -m$depth >out 2>&1 || fail out
	clean
	if compare "$@" <out >cmp 2>&1; then fail cmp; fi
	grep -q '^states=.* differences=[1-9]' cmp || fail cmp
	row bug "$model: $BUG differs from the twin" "found"
}
# The prover is told what is wrong with it (an option that z3 no longer has) and goes on.
prove() { # file, [lemma]
	dafny /compile:0 /nologo /timeLimit:200 ${2:+"/proc:*$2*"} "$1" >out 2>&1 || true
}
# The theorems of a file, for any number of everything.
job_proof() { # file, in proof/ unless it is proof.dfy itself
	file=$here/proof/$model.dfy
	[ "$model" != proof ] || file=$here/proof.dfy
	prove "$file"
	grep -q '^Dafny program verifier finished with [1-9][0-9]* verified, 0 errors$' out || fail out
	row proof "$model" "$(sed -n 's/^Dafny .* with \([0-9]*\) verified.*/\1/p' out) verified"
}
# With this mistake the lemma cannot be proved; with mistake 0, because it is not true.
job_unproof() { # file, mistake, lemma
	cp "$here"/proof/*.dfy .
	echo "const Bug: nat := $2" >bug.dfy
	prove "$model.dfy" "$3"
	grep -qE ' might not hold|assertion violation' out || fail out
	grep -q '^Dafny program verifier finished with [0-9]* verified, [1-9][0-9]* errors\{0,1\}$' out || fail out
	row unproof "$model: $2 against $3" "not provable"
}
# A search that was cut short has no errors, and must not pass for one that found none.
job_canary() { # model, its bounds
	build "$model" "$(defines "$@")" "-O0 -DSAFETY"
	"$pan" -m50 >out 2>&1 || fail out
	grep -q 'errors: 0' out || fail out
	[ "$(errors)" = incomplete ] || fail out
	row canary "$*" "a search cut short is no result"
}

if [ "${1:-}" = job ]; then
	shift
	what=$* began=$(date +%s) kind=$1 model=$2
	dir=$(mktemp -d "$tmp/job.XXXXXX")
	cd "$dir"
	shift
	"job_$kind" "$@"
	cd "$tmp"
	rm -rf "$dir"
	exit 0
fi

# --- all of them ----------------------------------------------------------------------

need() { # command
	command -v "$1" >/dev/null || {
		echo "installing $1"
		sudo=$([ "$(id -u)" = 0 ] || echo sudo)
		$sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends "$1" >/dev/null
	}
}
need spin
need dafny
need z3
tmp=$(mktemp -d)
export tmp
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
unset BUG
(cd "$here" && go build -o "$tmp/ltscmp" ./internal/ltscmp)
started=$(date +%s)

long='/^long /d'
[ -z "${LONG:-}" ] || long='s/^long //'
sed "/^#/d; /^\$/d; $long" "$here/rows.txt" | grep -- "${1:-}" >"$tmp/rows" || {
	echo "no row of spec/rows.txt matches '${1:-}'; those that begin with long need LONG=1" >&2
	exit 2
}
xargs -P "${JOBS:-$(nproc)}" -L 1 "$here/check.sh" job <"$tmp/rows"
echo "all of it holds: $(wc -l <"$tmp/rows") rows, $(($(date +%s) - started)) s"
