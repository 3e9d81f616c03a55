package panics

import "github.com/selvage-dev/selvage/spec/graph"

// Bug is a deliberate mistake in the machine; panic.pml has the same ones under the same
// numbers.
type Bug uint8

const (
	// NoBug is the machine itself.
	NoBug Bug = iota
	// RecoversInHelper: a function that a deferred call has called can recover too.
	RecoversInHelper
	// RecoversLate: a call registered after a panic has begun can recover it.
	RecoversLate
	// RecoversExit: every panic can be recovered.
	RecoversExit
	// WeakerReplaces: a panic in a deferred call replaces a stronger one around it.
	WeakerReplaces
	// EndsOuterToo: to recover a panic ends the one around it too.
	EndsOuterToo
	// SkipsDefers: an unwind runs nothing.
	SkipsDefers
	// LosesGeneration: a trampoline hands its panic on without its generation.
	LosesGeneration
	// SwallowsPanic: a trampoline hands nothing on.
	SwallowsPanic
	// KeepsUnwind: the unwind of a trampoline outlives it.
	KeepsUnwind
	// FatalUnwinds: a Fatal panic runs the deferred calls.
	FatalUnwinds
	// RunsAgain: a call that an unwind runs stays pending.
	RunsAgain
	// ForgetsParent: what a deferred call defers cannot recover what its parent can.
	ForgetsParent
	// ReplacesHanded: a panic of native code replaces a stronger one that its call has handed over.
	ReplacesHanded

	lastBug = ReplacesHanded
)

var bugNames = [...]string{"no bug", "recovers in helper", "recovers late", "recovers exit", "weaker replaces",
	"ends outer too", "skips defers", "loses generation", "swallows panic", "keeps unwind", "fatal unwinds",
	"runs again", "forgets parent", "replaces handed"}

// String is the name in words.
func (b Bug) String() string { return bugNames[b] }

// Bugs lists every mistake, without NoBug.
func Bugs() []Bug { return graph.Mistakes(lastBug) }
