package mutex

import "github.com/selvage-dev/selvage/spec/graph"

// Bug is a deliberate mistake in the machine; mutex.pml has the same ones under the same
// numbers.
type Bug uint8

const (
	// NoBug is the machine itself.
	NoBug Bug = iota
	// WakesWithoutLock: a woken fiber is told that it owns the lock, which is free.
	WakesWithoutLock
	// ServesNewest: the line is a stack.
	ServesNewest
	// KeepsQuitters: a fiber that gave up stays in the line.
	KeepsQuitters
	// ForgetsOwner: an owner dies, and the lock with it.
	ForgetsOwner
	// ForgetsHeir: a fiber dies before it knows that it owns the lock, and the lock with it.
	ForgetsHeir
	// PoisonForgetsWaiters: they go on waiting for the poisoned lock.
	PoisonForgetsWaiters
	// PoisonIsSuccess: they are told that they own the poisoned lock.
	PoisonIsSuccess
	// BargesIn: a lock that was handed over can be taken until its owner runs.
	BargesIn
	// WakesTwo: a hand-over wakes two fibers.
	WakesTwo
	// HandsOnAnyway: the lock of a dead owner is handed on against the policy.
	HandsOnAnyway
	// KeepsGrant: the hand-over is not over when the owner has claimed it.
	KeepsGrant
	// WaitsForFree: a fiber may wait for a lock that is free.
	WaitsForFree
	// LosesSignalOfQuitter: a signaled fiber gives up, and the signal is gone.
	LosesSignalOfQuitter
	// LosesSignalOfDead: a signaled fiber dies before it has run, and the signal is gone.
	LosesSignalOfDead
	// WakesPastOwner: a signal gives the lock away that another fiber has.
	WakesPastOwner
	// SignalsNewest: a signal is for the fiber that came last.
	SignalsNewest
	// SleepsWithLock: a fiber that waits for a signal keeps the lock.
	SleepsWithLock
	// BroadcastsToOne: a broadcast is a signal.
	BroadcastsToOne
	// PoisonForgetsSleepers: those who wait for a signal are not notified of the poison.
	PoisonForgetsSleepers
	// SignalledFirst: a signaled fiber is ahead of those who wait for the lock.
	SignalledFirst
	// PassesBroadcastOn: what a broadcast was to one is passed on like a signal.
	PassesBroadcastOn

	lastBug = PassesBroadcastOn
)

var bugNames = [...]string{"no bug", "wakes without lock", "serves newest", "keeps quitters", "forgets owner",
	"forgets heir", "poison forgets waiters", "poison is success", "barges in", "wakes two", "hands on anyway",
	"keeps grant", "waits for free", "loses signal of quitter", "loses signal of dead", "wakes past owner",
	"signals newest", "sleeps with lock", "broadcasts to one", "poison forgets sleepers", "signaled first",
	"passes broadcast on"}

// String is the name in words.
func (b Bug) String() string { return bugNames[b] }

// Bugs lists every mistake, without NoBug.
func Bugs() []Bug { return graph.Mistakes(lastBug) }
