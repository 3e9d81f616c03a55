package scheduler

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A violation that happened once must be understood from its text: the slots and numbers
// in it are those that are wrong. In the order of the tables of damages, each
// text that is not one above it.
func TestEveryViolationNamesTheSlotsAndNumbersThatAreWrong(t *testing.T) {
	var said []string
	for _, d := range slices.Concat(damages, locationDamages, nestDamages) {
		s := newAuditFixture(t)
		d.harm(s)
		e := violation(s.Inspect().Verify)
		if e == nil {
			t.Fatalf("not found: %s", d.name)
		}
		if line := fmt.Sprintf("%s %s", e.Rule, e.Found); !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	want := strings.Split(strings.ReplaceAll(strings.TrimSpace(findings), "\t", ""), "\n")
	for i := range max(len(said), len(want)) {
		if i >= len(said) || i >= len(want) || said[i] != want[i] {
			t.Fatalf("from line %d on it is said\n%s", i+1, strings.Join(said[min(i, len(said)):], "\n"))
		}
	}
}

const findings = `
	I1 f14 is in the ready queue but blocked
	I1 f14 is in the ready queue but dead
	I1 f14 is in the ready queue but running
	I1 f3.1 is runnable, in the ready queue: false, held: false
	I2 f3.1 is running, current: false, pinned: false, lent: false
	I1 dead slot f3 is in the ready queue, is held or keeps flags 0x200
	I1 f13.1 is runnable, in the ready queue: false, held: false
	I2 f13.1 is blocked, current: true, pinned: false, lent: false
	I12 15 fibers are alive; {Spawned:17 Ended:1 Killed:1 Lost:0 Retired:0 MovedIn:0 MovedOut:0 RefusedWakes:0}
	I5 f2 is free and runnable
	I5 f2 is free and blocked
	I1 f14 is in the ready queue twice, or is no slot
	I1 f15 is in the ready queue twice, or is no slot
	I1 f3 is in the ready queue but blocked
	I1 f2 is in the ready queue but dead
	I1 f1048576 is in the ready queue twice, or is no slot
	I1 f16.1 is runnable, in the ready queue: false, held: false
	I1 ready queue: 64 of a batch of 64 taken, 1048581 ready, capacity 64
	I1 ready queue: 64 of a batch of 64 taken, -1048571 ready, capacity 64
	I1 ready queue: 65 of a batch of 64 taken, 4 ready, capacity 64
	I1 ready queue: 64 of a batch of 164 taken, 105 ready, capacity 64
	I2 f13.1 is running, current: false, pinned: false, lent: false
	I2 f13.1 is running, current: true, pinned: false, lent: false
	I2 4 fibers run, one is current: true, 2 are pinned, 1 lent
	I4 f3.1: chained true without the chain to match
	I2 f3.1 waits for a callee it has not
	I4 f9.1: chained false without the chain to match
	I2 f9.1 is blocked under its callee; it waits for it: false
	I2 f9.1 is blocked under its callee; it waits for it: true
	I2 f10.1 is runnable under its callee; it waits for it: true
	I4 f9.1: chained true without the chain to match
	I4 the chain of f9.1 has no end
	I4 t5, running, does not fit the chain of f9.1
	I4 5 trampolines are in chains, 6 are acquired
	I4 t3, blocked, does not fit the chain of f9.1
	I4 t4, running, does not fit the chain of f9.1
	I4 t4, dead, does not fit the chain of f9.1
	I4 t3, running, does not fit the chain of f9.1
	I4 t3, dead, does not fit the chain of f9.1
	I4 t4, blocked, does not fit the chain of f9.1
	I4 t5, runnable, does not fit the chain of f10.1
	I4 t5, blocked, does not fit the chain of f10.1
	I4 t5, dead, does not fit the chain of f10.1
	I13 t5.1 is running with a wait armed or latched but not executing
	I4 t5.1 is running: a trampoline is never in the ready queue
	I4 t5.1 keeps flags of a root: 0x1008002
	I8 t4.1 waits for I/O itself
	I4 f3.1 is in the regular pool and flagged as a trampoline
	I4 6 trampolines are in chains, 7 are acquired
	I4 the chain of f10.1 has no end
	I5 t0 is free and running
	I13 f14.1 is runnable with a wait armed or latched but not executing
	I13 f10.1 is runnable with a wait armed or latched but not executing
	I13 f3.1 is blocked with a wait armed or latched but not executing
	I13 f13.1 is running with a wait armed or latched but not executing
	I1 dead slot f2 is in the ready queue, is held or keeps flags 0x20000
	I10 f14.1 does not wait; a live deadline: true, counted as external: false
	I10 6 deadlines are live, 5 counted
	I10 f4.1 waits for an instant that is not in the wheel
	I10 4 deadlines are live, 5 counted
	I10 5 deadlines are live, 6 counted
	I10 5 deadlines are live, 4 counted
	I10 1 alarms are set, 0 counted
	I10 0 alarms are set, 1 counted
	I10 source slot 3, alarm, is not an alarm in setting 100
	I10 source slot 77 is free and an alarm that is set
	I10 source slot 1, box, is not an alarm in setting 2
	I10 f14.1 does not wait; a live deadline: false, counted as external: true
	I10 2 waits are external, 1 counted
	I10 0 waits are external, 1 counted
	I10 1 waits are external, 2 counted
	I10 f8.1 waits for nothing
	I10 f8.1 waits for an instant that is not in the wheel
	I8 f8.1 waits for an operation that is not its own
	I8 f6.1 waits for an operation that is not its own
	I12 f3.1 refers to side record 1, which is no record, free, or another's
	I12 f14.1 refers to side record 0, which is no record, free, or another's
	I12 f16.1 refers to side record 5, which is no record, free, or another's
	I12 f5.1 refers to side record 5, which is no record, free, or another's
	I12 f5.1 refers to side record 99, which is no record, free, or another's
	I12 side record 4 is neither free nor owned
	I12 side record 4 is free twice
	I10 f3.1 refers to source slot 77, which is free
	I10 f5.1 refers to source slot 77, which is free
	I10 f3.1 refers to source slot 1, which is free
	I10 5 waits refer to source slot 1, 6 counted
	I10 5 waits refer to source slot 1, 4 counted
	I10 box still holds f11.1#11, whose wait has ended
	I10 f11.1 refers to source slot 1 after its wait
	I10 f3.1 keeps the source of its last wait in place of something else
	I10 f11.1 keeps the source of its last wait in place of something else
	I10 f14.1 keeps the source of its last wait in place of something else
	I12 f6.1 has operations under way, and does not live here or leaves them behind
	I12 f3.1 has a result to claim, but no source can have assigned one
	I12 f14.1 has a result to claim, but no source can have assigned one
	I12 f14.1 is doomed without a cause
	I12 f16.1: reapable false, doomed true, frames false
	I12 f14.1: reapable true, doomed false, frames false
	I12 f16.1: reapable true, doomed true, frames true
	I12 f3.1: alarmed true, unmasked cancellation pending false
	I12 f5.1: alarmed false, unmasked cancellation pending true
	I12 16 fibers are alive; {Spawned:18 Ended:1 Killed:1 Lost:0 Retired:0 MovedIn:0 MovedOut:0 RefusedWakes:0}
	I12 16 fibers are alive; {Spawned:17 Ended:2 Killed:1 Lost:0 Retired:0 MovedIn:0 MovedOut:0 RefusedWakes:0}
	I5 1 slots are neither alive nor free, 0 retired
	I5 6 trampolines: 0 free, 6 acquired, 1 retired
	I5 f3 is free and blocked
	I5 the list of free slots has no end
	I5 f3.0 is in wait 4 of 11
	I5 f3.1 is in wait 1048580 of 11
	I9 1 wake-ups were decided and not delivered
	I9 1 orders of links were decided and not carried out
	I1 f0.1 is runnable, in the ready queue: false, held: false
	I2 f0.1 is blocked, current: false, pinned: true, lent: false
	I1 dead slot f0 is in the ready queue, is held or keeps flags 0x20e0180
	I1 f0 is in the ready queue but running
	I2 f0.1 is running, current: true, pinned: true, lent: false
	I2 f0.1 is pinned twice, or is in no native call that could be
	I2 f0.1 nests and is running in a native call, flags 0x20e0102
	I2 f0.1 is running under its callee; it waits for it: true
	I2 f0.1 is running under its callee; it waits for it: false
	I2 f1.1 is running, current: false, pinned: false, lent: false
	I2 f1.1 is pinned twice, or is in no native call that could be
	I2 f1048576.0 is pinned twice, or is in no native call that could be
	I2 f10.1 is pinned twice, or is in no native call that could be
	I4 t0, blocked, does not fit the chain of f0.1
	I4 t0, running, does not fit the chain of f0.1
	I4 t1, blocked, does not fit the chain of f0.1
	I4 t1, dead, does not fit the chain of f0.1
	I4 t2, runnable, does not fit the chain of f1.1
	I10 t1.1 does not wait; a live deadline: true, counted as external: false
	I10 t2.1 waits and its wait has ended: ok
	I13 t2.1 is running with a wait armed or latched but not executing
	I4 t2.1 keeps flags of a root: 0x1021202
	I4 t2.1 keeps flags of a root: 0x1081202
	I4 t2.1 keeps flags of a root: 0x3001202
	I4 t2.1 keeps flags of a root: 0x5001202
`
