package faults

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// ErrDevice is what an operation ends with that failed.
var ErrDevice = errors.New("faults: the device failed")

const (
	// usual is how many turns an operation takes at most without a fault, slow with one.
	usual, slow = 4, 40
	// burst is how many completions a storm is.
	burst = 100
)

// arrival is one completion on its way to a scheduler.
type arrival struct {
	tok  fiber.Token
	done ioqueue.Completion
}

// Device does operations, and faults.
type Device struct {
	Profile Profile
	// Injected counts the faults so far.
	Injected [NumKinds]int

	w      *World
	rnd    *rand.Rand
	turn   int
	due    map[int][]arrival // by turn
	late   []arrival         // for when all fibers have been killed
	serial int
	// breaks, if set, is done to every completion: a device that lies in a way that no
	// scheduler can see through, for the test of the test.
	breaks func(arrival) arrival
}

// start takes an operation of the fiber that runs.
func (d *Device) start(tok fiber.Token) {
	d.serial++
	a := arrival{tok, ioqueue.Completion{N: d.serial, Value: d.serial}}
	after := 1 + d.rnd.IntN(usual)
	k := d.Profile.draw(d.rnd.Float64())
	if int(k) < NumKinds {
		d.Injected[k]++
	}
	switch k {
	case Drop:
		d.forget(tok)
		return
	case Duplicate:
		d.send(after+d.rnd.IntN(usual), a)
	case Delay:
		after += slow
	case Reorder:
		d.due[d.turn+after] = append([]arrival{a}, d.due[d.turn+after]...)
		return
	case Early:
		d.w.complete(a)
		return
	case LateAfterKill:
		d.w.killLater(after)
		after++
	case WrongToken:
		d.send(after, arrival{d.w.strange(d.rnd), a.done})
	case WrongScheduler:
		d.send(after, arrival{d.w.foreigner(), a.done})
	case ErrorValue:
		a.done = ioqueue.Completion{Err: ErrDevice}
	case HugeValue:
		a.done = ioqueue.Completion{N: math.MaxInt, Value: huge}
	case DuringShutdown:
		d.late = append(d.late, a)
		d.forget(tok)
		return
	case Storm:
		d.storm(a)
		return
	}
	d.send(after, a)
}

// forget: nothing will come for it. A fiber that has no deadline of its own is killed after
// a while, or in the end all of them would wait forever.
func (d *Device) forget(tok fiber.Token) {
	d.w.ledger.tokens[tok].dropped = true
	d.w.killLater(slow)
}

// huge is the value of all that are huge.
var huge = make([]byte, 1<<24)

func (d *Device) send(after int, a arrival) { d.due[d.turn+after] = append(d.due[d.turn+after], a) }

// storm sends a burst of everything through the scheduler's door for other goroutines.
func (d *Device) storm(a arrival) {
	at := d.rnd.IntN(burst)
	for i := range burst {
		switch {
		case i == at:
			d.w.post(a)
		case i%3 == 0:
			d.w.post(arrival{d.w.foreigner(), a.done})
		default:
			d.w.post(arrival{d.w.strange(d.rnd), a.done})
		}
	}
}

// deliver brings what is due this turn.
func (d *Device) deliver() {
	d.turn++
	for _, a := range d.due[d.turn] {
		d.w.complete(a)
	}
	delete(d.due, d.turn)
}
