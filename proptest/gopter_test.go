package proptest

import (
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/spec"
)

func TestCommandsOfGopterStayInStep(t *testing.T) {
	for i, c := range wide {
		t.Run(name(c), func(t *testing.T) {
			t.Parallel()
			host := hosts()[31-i] // with all that a host can be
			machine := newMachine(c, func() *Lockstep { return NewLockstep(c, host) })
			result := machine.check(int64(i) + 1)
			t.Logf("%d steps", machine.steps)
			if !result.Passed() {
				t.Fatalf("%v, with all the arguments:\n%v\nin short:\n%v", result.Status, result.Args, reported(machine.failure()))
			}
		})
	}
}

// machine is the state machine as gopter sees it: the state is the model's, a command
// is an action, the system is a harness.
type machine struct {
	model  spec.Config
	fresh  func() *Lockstep
	all    []spec.Action
	dice   []gen.WeightedGen
	steps  int
	failed []spec.Action // the last walk that ended in a difference
}

func newMachine(model spec.Config, fresh func() *Lockstep) *machine {
	return &machine{model: model, fresh: fresh, all: model.All(), dice: dice(model.All())}
}

// The machine plays every part that gopter asks for.
var _ commands.Commands = (*machine)(nil)

func (m *machine) check(seed int64) *gopter.TestResult {
	parameters := gopter.DefaultTestParametersWithSeed(seed)
	parameters.MaxSize = 1000
	parameters.MinSuccessfulTests = long.Cases(25, 100)
	return commands.Prop(m).Check(parameters)
}

func (m *machine) NewSystemUnderTest(commands.State) commands.SystemUnderTest {
	return &system{Lockstep: m.fresh()}
}

func (m *machine) DestroySystemUnderTest(s commands.SystemUnderTest) {
	sys := s.(*system)
	m.steps += len(sys.done)
	if sys.err != nil {
		m.failed = sys.done
	}
}

func (m *machine) GenInitialState() gopter.Gen {
	return gen.Const(m.model.Init())
}

func (m *machine) InitialPreCondition(commands.State) bool { return true }

// GenCommand makes any action at all, from gopter's own dice and by its own measure of
// what should be frequent, until one is possible.
func (m *machine) GenCommand(state commands.State) gopter.Gen {
	s := state.(spec.State)
	possible := func(i int) bool { return m.model.Can(&s, m.all[i]) }
	return gen.RetryUntil(gen.Weighted(m.dice), possible, 1000).Map(func(i int) commands.Command {
		return command{m.model, m.all[i]}
	})
}

// dice has a side for every action of the model: those that end things are rare.
func dice(all []spec.Action) (sides []gen.WeightedGen) {
	for i, a := range all {
		weight := 8
		switch a.Kind {
		case spec.Kill, spec.Cancel, spec.WakeID:
			weight = 1
		case spec.Block, spec.Next:
			weight = 60
		}
		sides = append(sides, gen.WeightedGen{Weight: weight, Gen: gen.Const(i)})
	}
	return sides
}

// system is the harness, up to the first difference.
type system struct {
	*Lockstep
	done []spec.Action
	err  error
}

type command struct {
	model  spec.Config
	action spec.Action
}

func (c command) Run(s commands.SystemUnderTest) commands.Result {
	sys := s.(*system)
	if sys.err == nil {
		sys.done = append(sys.done, c.action)
		sys.err = sys.Step(c.action)
	}
	return sys.err
}

func (c command) NextState(s commands.State) commands.State {
	return c.model.Apply(s.(spec.State), c.action)
}

func (c command) PreCondition(s commands.State) bool {
	state := s.(spec.State)
	return c.model.Can(&state, c.action)
}

func (c command) PostCondition(_ commands.State, result commands.Result) *gopter.PropResult {
	if err, failed := result.(error); failed {
		return &gopter.PropResult{Status: gopter.PropFalse, Error: err}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

func (c command) String() string { return c.action.String() }

// failure is what gopter found and has shrunk its way, shortened ours.
func (m *machine) failure() *Failure { return Shrink(m.fresh, m.failed) }
