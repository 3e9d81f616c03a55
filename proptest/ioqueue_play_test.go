package proptest

import (
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/opqueue"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/spec/graph"
)

// ioModel is operations of two owners, each in one phase of its life.
type ioModel struct {
	tokens int
	bug    string
}

// phase is where an operation is.
type phase uint8

const (
	never    phase = iota
	flies          // no fiber waits for it
	awaited        // its owner does
	attached       // a cell does
	early          // it ended before a fiber waited
	ready          // it ended, and its owner was told
	celled         // it ended, and a cell is to get it
	lost           // given up, the shell is to cancel it
	orphan         // given up, the shell knows
	over
)

// mostTokens is how many operations a model has room for.
const mostTokens = 3

type operation struct {
	phase phase
	owner uint8
}

type ioState struct{ ops [mostTokens]operation }

// The rest of an operation's verbs are errors or verdicts by their phase alone.
var ioVerbs = map[verb][over + 1]struct {
	says reply
	to   phase
}{
	"Await": {
		never: {"unknown", never}, flies: {done, awaited}, awaited: {"awaited", awaited}, attached: {"awaited", attached},
		early: {"early", ready}, ready: {"awaited", ready}, celled: {"awaited", celled}, lost: {"abandoned", lost},
		orphan: {"abandoned", orphan}, over: {"unknown", over},
	},
	"Attach": {
		never: {"unknown", never}, flies: {done, attached}, awaited: {"awaited", awaited}, attached: {"awaited", attached},
		early: {"early", celled}, ready: {"awaited", ready}, celled: {"awaited", celled}, lost: {"abandoned", lost},
		orphan: {"abandoned", orphan}, over: {"unknown", over},
	},
	"Unawait": {
		never: {"unknown", never}, flies: {"not awaited", flies}, awaited: {done, flies}, attached: {"not awaited", attached},
		early: {"not awaited", early}, ready: {"not awaited", ready}, celled: {"not awaited", celled}, lost: {"not awaited", lost},
		orphan: {"not awaited", orphan}, over: {"unknown", over},
	},
	"Complete": {
		never: {"unknown", never}, flies: {"early", early}, awaited: {"deliver", ready}, attached: {"attached", celled},
		early: {"duplicate", early}, ready: {"duplicate", ready}, celled: {"duplicate", celled}, lost: {"late", over},
		orphan: {"late", over}, over: {"duplicate", over},
	},
	"Take": {
		never: {"nothing", never}, flies: {"nothing", flies}, awaited: {"nothing", awaited}, attached: {"nothing", attached},
		early: {"taken", over}, ready: {"taken", over}, celled: {"nothing", celled}, lost: {"nothing", lost},
		orphan: {"nothing", orphan}, over: {"nothing", over},
	},
	"Settle": {
		never: {done, never}, flies: {done, flies}, awaited: {done, awaited}, attached: {done, attached},
		early: {done, early}, ready: {done, ready}, celled: {done, over}, lost: {done, lost},
		orphan: {done, orphan}, over: {done, over},
	},
	"Abandon": {
		never: {"unknown", never}, flies: {done, lost}, awaited: {done, lost}, attached: {done, lost},
		early: {done, over}, ready: {done, over}, celled: {done, over}, lost: {"abandoned", lost},
		orphan: {"abandoned", orphan}, over: {"unknown", over},
	},
}

func (m ioModel) Valid() error { return nil }

func (m ioModel) Init() ioState { return ioState{} }

func (m ioModel) All() (all []act) {
	for k := range uint8(m.tokens) {
		all = append(all, act{"Submit", k, 0}, act{"Submit", k, 1}, act{"Steal", k, 0})
		for _, v := range []verb{"Await", "Attach", "Unawait", "Complete", "Take", "Settle", "Abandon"} {
			all = append(all, act{verb: v, who: k})
		}
	}
	return append(all, act{verb: "OwnerDies", n: 0}, act{verb: "OwnerDies", n: 1}, act{verb: "Cancellations"}, act{verb: "SubmitMore"})
}

func (m ioModel) AppendKey(dst []byte, s *ioState) []byte               { return fmt.Appendf(dst, "%v", *s) }
func (m ioModel) Check(*ioState) graph.Breach                           { return graph.Breach{} }
func (m ioModel) CheckStep(*ioState, act, reply, *ioState) graph.Breach { return graph.Breach{} }

func (m ioModel) Step(s *ioState, a act) (reply, bool) {
	op := &s.ops[a.who]
	switch a.verb {
	case "Submit":
		if op.phase != never && op.phase != over {
			return "", false
		}
		*op = operation{flies, a.n}
		return done, true
	case "SubmitMore":
		return "full", m.count(s, never, over) == 0
	case "Steal": // another fiber awaits it
		return "not owner", op.phase == flies || op.phase == early
	case "OwnerDies":
		return m.ownerDies(s, a.n), true
	case "Cancellations":
		return m.tell(s), true
	}
	row := ioVerbs[a.verb][op.phase]
	switch {
	case m.bug == "keeps what was abandoned" && a.verb == "Abandon" && op.phase == early:
		row.to = early
	case m.bug == "takes from the cell" && a.verb == "Take" && op.phase == celled:
		row.says, row.to = "taken", over
	case m.bug == "unawait gives up" && a.verb == "Unawait" && op.phase == awaited:
		row.to = lost
	}
	if op.phase = row.to; row.to == over {
		op.owner = 0
	}
	return row.says, true
}

func (m ioModel) count(s *ioState, phases ...phase) (n int) {
	for _, op := range s.ops[:m.tokens] {
		for _, p := range phases {
			if op.phase == p {
				n++
			}
		}
	}
	return n
}

func (m ioModel) ownerDies(s *ioState, owner uint8) reply {
	n := 0
	for k := range s.ops[:m.tokens] {
		op := &s.ops[k]
		if op.phase == never || op.phase >= lost || op.owner != owner {
			continue
		}
		n++
		if op.phase = ioVerbs["Abandon"][op.phase].to; op.phase == over {
			op.owner = 0
		}
	}
	return reply(fmt.Sprint(n))
}

func (m ioModel) tell(s *ioState) reply {
	n := m.count(s, lost)
	for k := range s.ops {
		if s.ops[k].phase == lost {
			s.ops[k].phase = orphan
		}
	}
	return reply(fmt.Sprint(n))
}

// ioGuide is a real queue.
type ioGuide struct {
	queue  *opqueue.Queue
	model  ioModel
	tokens [mostTokens]fiber.Token
	cells  [mostTokens]*ioqueue.Cell
	gens   [2]uint32
	step   int
	drops  int
}

func newIOGuide(m ioModel) *ioGuide {
	g := &ioGuide{model: m, gens: [2]uint32{1, 1}}
	g.queue = opqueue.New(0, m.tokens, func(fiber.Token, ioqueue.Completion) { g.drops++ })
	for k := range g.tokens {
		g.tokens[k] = neverToken + fiber.Token(k)
	}
	return g
}

func (g *ioGuide) owner(n uint8) fiber.RegularID { return fiber.NewRegularID(uint32(n), g.gens[n]) }

func (g *ioGuide) do(from *ioState, a act, _ *ioState) (reply, error) {
	g.step++
	tok, op := g.tokens[a.who], from.ops[a.who]
	switch a.verb {
	case "Submit":
		tok, err := g.queue.Submit(g.owner(a.n))
		g.tokens[a.who], g.cells[a.who] = tok, nil
		return done, err
	case "SubmitMore":
		_, err := g.queue.Submit(g.owner(0))
		return ioError(err)
	case "Await":
		return g.await(tok, op.owner)
	case "Steal":
		return g.await(tok, 1-op.owner)
	case "Attach":
		cell := new(ioqueue.Cell)
		isEarly, err := g.queue.Attach(tok, cell)
		if err == nil {
			g.cells[a.who] = cell
		}
		return earlyOr(isEarly, err)
	case "Unawait":
		return ioError(g.queue.Unawait(tok))
	case "Complete":
		return g.complete(tok)
	}
	return g.ending(tok, op, a)
}

func (g *ioGuide) await(tok fiber.Token, owner uint8) (reply, error) {
	return earlyOr(g.queue.Await(tok, fiber.Ticket{ID: g.owner(owner).ID(), Seq: fiber.NewSeq(schedulerNumber, uint64(g.step))}))
}

func (g *ioGuide) complete(tok fiber.Token) (reply, error) {
	t, v := g.queue.Complete(tok, &ioqueue.Completion{N: g.step})
	if t.IsZero() == (v == ioqueue.Deliver) {
		return "", fmt.Errorf("%v comes with the ticket %v", v, t)
	}
	return reply(v.String()), nil
}

// ending is the verbs after which an operation may be gone.
func (g *ioGuide) ending(tok fiber.Token, op operation, a act) (reply, error) {
	switch a.verb {
	case "Take":
		if took := g.queue.Take(tok, new(ioqueue.Completion)); !took {
			return "nothing", nil
		}
		return "taken", nil
	case "Settle":
		g.queue.Settle(tok, nil)
		if op.phase == celled && !g.cells[a.who].Completed() {
			return "", errors.New("the cell is still open")
		}
		return done, nil
	case "Abandon":
		says, err := ioError(g.queue.Abandon(tok))
		return says, errors.Join(err, g.failCells(op, a.who))
	case "OwnerDies":
		n := g.queue.AbandonOwned(g.owner(a.n))
		g.gens[a.n]++
		g.queue.FailCells(nil)
		return reply(fmt.Sprint(n)), nil
	}
	return reply(fmt.Sprint(len(g.queue.Cancellations(nil)))), nil
}

// failCells: a cell that was to get what is abandoned is told.
func (g *ioGuide) failCells(op operation, k uint8) error {
	g.queue.FailCells(nil)
	if op.phase != attached && op.phase != celled {
		return nil
	}
	if _, err, _ := g.cells[k].Result(); !errors.Is(err, ioqueue.ErrAbandoned) {
		return fmt.Errorf("the cell of an abandoned operation has %w", err)
	}
	return nil
}

func earlyOr(isEarly bool, err error) (reply, error) {
	if isEarly && err == nil {
		return "early", nil
	}
	return ioError(err)
}

func ioError(err error) (reply, error) {
	if err == nil {
		return done, nil
	}
	return told(err, map[error]reply{
		ioqueue.ErrUnknownToken: "unknown", ioqueue.ErrAwaited: "awaited", ioqueue.ErrAbandoned: "abandoned",
		opqueue.ErrNotAwaited: "not awaited", ioqueue.ErrNotOwner: "not owner", ioqueue.ErrFull: "full",
	})
}

// refuses: what the model does not enable cannot be asked for, or has an answer there.
func (g *ioGuide) refuses(*ioState, act) error { return nil }

func (g *ioGuide) match(s *ioState) error {
	for k, op := range s.ops[:g.model.tokens] {
		want := fiber.RegularID(0)
		if op.phase != never && op.phase < lost {
			want = g.owner(op.owner)
		}
		if got := g.queue.Owner(g.tokens[k]); got != want {
			return fmt.Errorf("operation %d is of %v, not of %v", k, got, want)
		}
	}
	waits, out, c := g.model.count(s, awaited, attached), g.model.count(s, flies, awaited, attached, lost, orphan), g.queue.Counters()
	if g.queue.Awaiting() != waits || g.queue.Outstanding() != out || c.Submitted != c.Completed+c.Late+uint64(out) {
		return differs(fmt.Sprintf("%d awaited, %d outstanding, %+v", g.queue.Awaiting(), g.queue.Outstanding(), c), *s)
	}
	if c.Dropped+c.Late != uint64(g.drops) {
		return fmt.Errorf("%d were dropped, the hook was told of %d", c.Dropped+c.Late, g.drops)
	}
	return nil
}

func ioPlay(m ioModel) drama {
	return &play[ioModel, ioState, act, reply]{title: fmt.Sprintf("ioqueue %+v", m), model: m, fresh: func() guide[ioState, act, reply] {
		return newIOGuide(m)
	}}
}
