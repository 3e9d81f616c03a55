package proptest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/spec/graph"
)

// play is one definition of a machine for every generator: a model, and the guide that
// performs the actions of the model on the real objects. What the model does not enable is
// an action too, which is to be refused.
type play[M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer] struct {
	title string
	model M
	fresh func() guide[S, A, R]
}

// drama is a play of any types.
type drama interface {
	name() string
	// byRapid and byGopter have the library choose the actions. They tell how many there
	// were, and the first difference, made short.
	byRapid(t rapid.TB) int
	byGopter(seed int64) (steps int, err error)
	// everywhere follows the edges of every state, or of one in stride; nil where the graph is
	// too large.
	everywhere(limit, stride int) (summary string, err error)
}

func (p *play[M, S, A, R]) name() string { return p.title }

// run is one performance.
type run[M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer] struct {
	*play[M, S, A, R]
	guide[S, A, R]
	state S
	done  []A
	err   error
}

func (p *play[M, S, A, R]) begin() *run[M, S, A, R] {
	return &run[M, S, A, R]{play: p, guide: p.fresh(), state: p.model.Init()}
}

// take performs one action, or has it refused, and compares everything.
func (r *run[M, S, A, R]) take(a A) error {
	if r.err != nil {
		return r.err
	}
	r.done = append(r.done, a)
	to := r.state
	want, enabled := r.model.Step(&to, a)
	if enabled {
		r.err = r.both(a, want, &to)
	} else {
		r.err = turnedAway(r.guide, &r.state, a)
	}
	if r.err != nil {
		r.err = fmt.Errorf("%v: %w", a, r.err)
	}
	return r.err
}

func (r *run[M, S, A, R]) both(a A, want R, to *S) (err error) {
	defer caught(&err)
	got, err := r.do(&r.state, a, to)
	if err == nil && got.String() != want.String() {
		err = fmt.Errorf("answers %v, want %v", got, want)
	}
	if err == nil {
		err = r.match(to)
	}
	r.state = *to
	return err
}

// shorten leaves out what the failure does not need. A part that is left out may make
// later actions impossible: they are refused then, as they should be.
func (p *play[M, S, A, R]) shorten(list []A) error {
	fails := func(list []A) error {
		r := p.begin()
		for i, a := range list {
			if err := r.take(a); err != nil {
				return &stray{i + 1, fmt.Errorf("%v: %w", list[:i+1], err)}
			}
		}
		return nil
	}
	err := fails(list)
	for part := len(list) / 2; part > 0; part /= 2 {
		for at := 0; at+part <= len(list); {
			fewer := slices.Concat(list[:at], list[at+part:])
			if e := fails(fewer); e != nil {
				list, err = fewer, e
				continue
			}
			at += part
		}
	}
	return err
}

// byRapid chooses among what is possible, and now and then among all there is.
func (p *play[M, S, A, R]) byRapid(tb rapid.TB) (steps int) {
	all := p.model.All()
	rapid.Check(tb, func(t *rapid.T) {
		r := p.begin()
		n := rapid.IntRange(0, 600).Draw(t, "actions")
		for range n {
			steps++
			choice := all
			if rapid.IntRange(0, 4).Draw(t, "out of line") > 0 {
				choice = r.possible(all)
			}
			if err := r.take(rapid.SampledFrom(choice).Draw(t, "action")); err != nil {
				t.Fatalf("%s: %v", p.title, p.shorten(r.done))
			}
		}
	})
	return steps
}

// possible is what the state enables, what ends things once and the rest several times:
// no fiber should die before anything has happened.
func (r *run[M, S, A, R]) possible(all []A) (can []A) {
	for _, a := range all {
		if !r.can(&r.state, a) {
			continue
		}
		for range patience(a) {
			can = append(can, a)
		}
	}
	if len(can) == 0 {
		return all
	}
	return can
}

func (p *play[M, S, A, R]) can(s *S, a A) bool {
	to := *s
	_, ok := p.model.Step(&to, a)
	return ok
}

// patience is how much rather something happens than a kill, a Fatal panic (Begin 3), or a new
// beginning.
func patience(a fmt.Stringer) int {
	for _, end := range []verb{vKill, "OwnerDies", "Abandon", "Reset", "Begin 3"} {
		if strings.HasPrefix(a.String(), string(end)) {
			return 1
		}
	}
	return 5
}

// byGopter has its own dice and its own idea of what to try: any action at all, those
// that end things less often, and most of those again that are refused.
func (p *play[M, S, A, R]) byGopter(seed int64) (steps int, err error) {
	all := p.model.All()
	var calm []gen.WeightedGen
	for i, a := range all {
		calm = append(calm, gen.WeightedGen{Weight: patience(a), Gen: gen.Const(i)})
	}
	actors := &commands.ProtoCommands{
		InitialStateGen:            gen.Const(p.model.Init()),
		NewSystemUnderTestFunc:     func(commands.State) commands.SystemUnderTest { return p.begin() },
		DestroySystemUnderTestFunc: func(sut commands.SystemUnderTest) { steps += len(sut.(*run[M, S, A, R]).done) },
		GenCommandFunc: func(state commands.State) gopter.Gen {
			s := state.(S)
			enabled := gen.RetryUntil(gen.Weighted(calm), func(i int) bool { return p.can(&s, all[i]) }, 20)
			return gen.Weighted([]gen.WeightedGen{
				{Weight: 4, Gen: enabled}, {Weight: 1, Gen: gen.IntRange(0, len(all)-1)},
			}).Map(func(i int) commands.Command { return order[M, S, A, R]{p, all[i], &err} })
		},
	}
	parameters := gopter.DefaultTestParametersWithSeed(seed)
	parameters.MaxSize = 400
	parameters.MinSuccessfulTests = long.Cases(12, 60)
	if result := commands.Prop(actors).Check(parameters); !result.Passed() && err == nil {
		err = fmt.Errorf("%v: %v", result.Status, result.Args)
	}
	return steps, err
}

// order is an action as gopter sees it. One that is not enabled is to be refused.
type order[M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer] struct {
	play    *play[M, S, A, R]
	action  A
	failure *error
}

func (o order[M, S, A, R]) Run(sut commands.SystemUnderTest) commands.Result {
	r := sut.(*run[M, S, A, R])
	err := r.take(o.action)
	if err != nil {
		*o.failure = o.play.shorten(r.done)
	}
	return err
}

func (o order[M, S, A, R]) NextState(state commands.State) commands.State {
	s := state.(S)
	o.play.model.Step(&s, o.action)
	return s
}

func (o order[M, S, A, R]) PreCondition(commands.State) bool { return true }

func (o order[M, S, A, R]) PostCondition(_ commands.State, result commands.Result) *gopter.PropResult {
	if err, failed := result.(error); failed {
		return &gopter.PropResult{Status: gopter.PropFalse, Error: err}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

func (o order[M, S, A, R]) String() string { return o.action.String() }

func (p *play[M, S, A, R]) everywhere(limit, stride int) (string, error) {
	g, err := graph.Explore(p.model, limit, nil)
	if err != nil {
		return "", err
	}
	walk := &tour[M, S, A, R]{graph: g, model: p.model, fresh: p.fresh, stride: stride}
	err = walk.everywhere()
	return fmt.Sprintf("%d states, %d edges, %d refusals, %d real steps", len(g.States), walk.edges, walk.refusals, walk.steps), err
}

// perform is the whole programme of a play: both libraries must agree with the model.
func perform(t *testing.T, d drama) {
	t.Run(d.name(), func(t *testing.T) {
		if !long.On(t) {
			set(t, "rapid.checks", "20") // instead of a hundred
		}
		rapids := d.byRapid(t)
		gopters, err := d.byGopter(1)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("rapid: %d actions, gopter: %d", rapids, gopters)
	})
}
