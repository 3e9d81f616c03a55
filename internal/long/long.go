package long

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// factor is the value of -long: how many times as many cases as CI does with LONG=1, 0 for a quick run.
type factor int

func (f *factor) String() string   { return strconv.Itoa(int(*f)) }
func (f *factor) IsBoolFlag() bool { return true }

func (f *factor) Set(text string) error {
	switch text {
	case "", "false":
		text = "0"
	case "true":
		text = "1"
	}
	n, err := strconv.ParseUint(text, 10, 20)
	*f = factor(n)
	return err
}

//nolint:gochecknoinits // a flag must be there before the tests are; no package variable leads to it
func init() {
	f := new(factor)
	if err := f.Set(os.Getenv("SELVAGE_LONG")); err != nil {
		panic(fmt.Sprintf("SELVAGE_LONG: %v: set a number, or nothing", err))
	}
	flag.Var(f, "long", "do as many cases as CI with LONG=1; -long=`N` does N times as many, and from 10 on also what takes hours")
}

func times() int { return int(*flag.Lookup("long").Value.(*factor)) }

// Cases is how many cases a test does: quick of them, or with -long as many as in full, times
// the flag.
func Cases(quick, full int) int {
	if n := times(); n > 0 {
		return n * full
	}
	return quick
}

// On tells whether a test does what only -long does, such as compiling programs. If not, the
// log of the test says so.
func On(t testing.TB) bool {
	t.Helper()
	if times() == 0 {
		t.Log("without -long: not all of it is done")
	}
	return times() > 0
}

// Full is -long without -short. The race detector and the trials of mutants have no time for
// the largest cases: they pass both.
func Full() bool { return times() > 0 && !testing.Short() }

// Deep tells whether searches that take hours are asked for.
func Deep() bool { return times() >= 10 }
