package scheduler

import (
	"errors"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/stretchr/testify/assert"
)

var errDevice = errors.New("the device is gone")

// inFiberAndCallee runs a scenario on a fiber, and in the callee of a native call of it.
func inFiberAndCallee(t *testing.T, run func(t *testing.T, g *testScheduler, id fiber.RegularID)) {
	for name, depth := range map[string]int{"fiber": 0, "callee": 1, "callee of a callee": 2} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			id := g.spawnRunning(Options{Frames: true})
			for range depth {
				g.call()
			}
			run(t, g, id)
		})
	}
}

// device is where the tests see a token.
func (g *testScheduler) start(t *testing.T) (o Operation, tok fiber.Token) {
	t.Helper()
	o, err := g.Ops().Start(func(given fiber.Token) error { tok = given; return nil })
	assert.NoError(t, err)
	return o, tok
}

func TestTheSameCodeWaitsForAnOperationOnAFiberAndInACallee(t *testing.T) {
	for _, early := range []bool{false, true} {
		inFiberAndCallee(t, func(t *testing.T, g *testScheduler, id fiber.RegularID) {
			for n := range 3 { // one after the other
				o, tok := g.start(t)
				done := ioqueue.Completion{N: n, Value: "body", Err: errDevice}
				if early {
					g.Ops().Complete(tok, done)
				}
				o.Arm(fiber.Never)
				g.Block()
				if !early {
					g.idles(Waiting)
					g.Ops().Complete(tok, done)
				}
				if g.Current() == 0 {
					g.mount(id)
				}
				g.claims(fiber.OK)
				value, err := o.Result()
				assert.Equal(t, "body", value)
				assert.Equal(t, errDevice, err)
			}
			assert.EqualValues(t, 3, g.Ops().Counters().Completed)
		})
	}
}

// The count of a device is in the completion, and a result is collected once.
func TestTheCompletionOfAnOperationHasTheCountOfItsDevice(t *testing.T) {
	inFiberAndCallee(t, func(t *testing.T, g *testScheduler, id fiber.RegularID) {
		o, tok := g.start(t)
		o.Arm(fiber.Never)
		g.Block()
		g.Ops().Complete(tok, ioqueue.Completion{N: 512})
		g.mount(id)
		g.claims(fiber.OK)
		done, err := o.Completion()
		assert.NoError(t, err)
		assert.Equal(t, 512, done.N)
	})
}

// However the wait ends, the device receives the token to cancel it, and its late answer is counted.
func TestAWaitThatEndsOtherwiseAbandonsItsOperation(t *testing.T) {
	for end, want := range map[string]fiber.Code{"deadline": fiber.TimedOut, "cancel": fiber.Cancelled, "kill": fiber.Killed} {
		inFiberAndCallee(t, func(t *testing.T, g *testScheduler, id fiber.RegularID) {
			o, tok := g.start(t)
			o.Arm(9)
			g.Block()
			switch end {
			case "deadline":
				g.at(9)
			case "cancel":
				assert.NoError(t, g.Cancel(id.ID(), nil))
			case "kill":
				assert.NoError(t, g.Kill(id.ID(), nil))
			}
			assert.Equal(t, []fiber.Token{tok}, slices.Concat(g.Ops().Cancellations(nil)))
			g.mount(id)
			g.claims(want)
			_, err := o.Result()
			assert.ErrorIs(t, err, ioqueue.ErrAbandoned)
			assert.Equal(t, ioqueue.Late, g.Ops().Complete(tok, ioqueue.Completion{}))
		})
	}
}

func TestAnOperationThatDoesNotBeginIsNotInFlight(t *testing.T) {
	inFiberAndCallee(t, func(t *testing.T, g *testScheduler, _ fiber.RegularID) {
		_, err := g.Ops().Start(func(fiber.Token) error { return errDevice })
		assert.Equal(t, errDevice, err)
		assert.PanicsWithValue(t, "boom", func() { _, _ = g.Ops().Start(func(fiber.Token) error { panic("boom") }) })
		c := g.Ops().Counters()
		assert.EqualValues(t, 2, c.Submitted)
		assert.EqualValues(t, 2, c.Completed)
		assert.False(t, g.HasIOWaiters())
	})
}

func TestAnOperationIsAwaitedOnce(t *testing.T) {
	inFiberAndCallee(t, func(t *testing.T, g *testScheduler, id fiber.RegularID) {
		o, tok := g.start(t)
		o.Arm(fiber.Never)
		g.Block()
		g.Ops().Complete(tok, ioqueue.Completion{})
		g.mount(id)
		g.claims(fiber.OK)
		g.refuses("I8", op.Arm, func() { o.Arm(fiber.Never) })
		_, err := o.Result()
		assert.NoError(t, err)
		g.refuses("I8", op.Arm, func() { o.Arm(fiber.Never) })
	})
}

func TestAnOperationThatWasNotStartedIsRefusedOrAbandoned(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	var o Operation
	assert.Contains(t, refusal(func() { o.Arm(fiber.Never) }).Fix, "call Ops().Start")
	_, err := o.Result()
	assert.ErrorIs(t, err, ioqueue.ErrAbandoned)
	g.refuses("VALID-ARGUMENT", op.Submit, func() { _, _ = g.Ops().Start(nil) })
}

func TestARefusedArmLeavesTheOperationAsItWas(t *testing.T) {
	inFiberAndCallee(t, func(t *testing.T, g *testScheduler, id fiber.RegularID) {
		o, tok := g.start(t)
		g.Arm(fiber.OnQueue())
		g.refuses("I13", op.Arm, func() { o.Arm(fiber.Never) })
		g.Disarm()
		o.Arm(fiber.Never)
		g.Block()
		g.Ops().Complete(tok, ioqueue.Completion{Value: "body"})
		g.mount(id)
		g.claims(fiber.OK)
		value, err := o.Result()
		assert.NoError(t, err)
		assert.Equal(t, "body", value)
	})
}
