package schedscript

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/script"
)

func TestNoSequenceOfCommandsFindsAFault(t *testing.T) {
	const scripts, length = 150, 120
	transitions := 0
	for seed := range uint64(scripts) {
		g := randomScript(rand.New(rand.NewPCG(seed, 1)), length)
		output := strings.Join(g.TakeOutput(), "\n")
		if g.Fault() != "" {
			t.Errorf("seed %d: %s\n%s\n%s", seed, g.Fault(), g.text.String(), output)
		}
		transitions += strings.Count(output, "→")
	}
	if transitions < scripts*length/3 {
		t.Errorf("only %d transitions in %d scripts: they are of no use", transitions, scripts)
	}
}

func TestTheSameScriptGivesTheSameOutput(t *testing.T) {
	text := randomScript(rand.New(rand.NewPCG(7, 7)), 400).text.String()
	first := Run("random", text).Text()
	for range 5 {
		if again := Run("random", text).Text(); again != first {
			t.Fatalf("two runs differ:\n%s", again)
		}
	}
}

// author is a world with a generator of random commands, which inspects the world to find
// commands that mostly make sense.
type author struct {
	*world
	rng  *rand.Rand
	text strings.Builder
	made int // names so far
}

func randomScript(rng *rand.Rand, length int) *author {
	g := &author{world: newWorld("random"), rng: rng}
	g.do("new grace 3s max-tokens 6 max-trampolines 5 max-nesting 3")
	for _, s := range []string{"chan c0", "chan c1 2", "mutex m0", "mutex m1 hand-on", "cell e0"} {
		g.do(s)
	}
	for range 4 {
		g.do(g.spawn())
	}
	for range length {
		switch {
		case g.s.Inspect().Live() < 2:
			g.do(g.spawn())
		case g.rng.IntN(20) == 0:
			g.do(g.any())
		case g.rng.IntN(8) == 0:
			g.do(g.fromOutside())
		case g.executing() == nil:
			g.do(g.betweenSlices())
		case !g.executing().armed.IsZero():
			g.do(g.pick("block", "block", "block", "disarm", "claim", g.running()))
		default:
			g.do(g.running())
		}
	}
	return g
}

func (g *author) do(command string) {
	g.text.WriteString(command + "\n")
	g.Obey(script.Line{Number: 1, Text: command})
}

func (g *author) pick(of ...string) string { return of[g.rng.IntN(len(of))] }

// fresh is a new name.
func (g *author) fresh(prefix string) string {
	g.made++
	return fmt.Sprintf("%s%d", prefix, g.made)
}

// fiber, joinable, operation and cell are names of such things, mostly recent ones.
func (g *author) fiber() string {
	return late(g, g.members, func(p *member) string { return p.name })
}

func (g *author) joinable() string {
	return late(g, g.members, func(p *member) string {
		if p.cell == nil {
			return ""
		}
		return p.name
	})
}

func (g *author) operation() string {
	return late(g, g.objects, func(o object) string {
		if op, ok := o.(*operation); ok {
			return op.name
		}
		return ""
	})
}

func (g *author) cell() string {
	return late(g, g.objects, func(o object) string {
		if c, ok := o.(*cell); ok {
			return c.name
		}
		return ""
	})
}

func late[T any](g *author, things []T, name func(T) string) string {
	found := "nobody"
	for i := len(things) - 1; i >= 0; i-- {
		if s := name(things[i]); s != "" {
			if found = s; g.rng.IntN(3) > 0 {
				break
			}
		}
	}
	return found
}

func (g *author) ticket() string {
	if n := len(g.issued); n > 0 && g.rng.IntN(8) > 0 {
		return g.world.ticket(g.issued[max(0, n-1-g.rng.IntN(4))])
	}
	return fmt.Sprintf("%s#%d", g.fiber(), g.rng.IntN(30))
}

func (g *author) by() string { return g.pick("", "", " by 0s", " by 1s", " by 4s") }

func (g *author) spawn() string {
	return "spawn " + g.fresh("f") + g.pick("", " joinable", " frames joinable", " front", " frames", " nests", " nests joinable")
}

func (g *author) alternative() string {
	return g.pick("<-c0", "<-c1", "c0<-x", "c1<-y", g.joinable(), g.cell())
}

func (g *author) betweenSlices() string {
	return g.pick("next", "next", "next", "next", "next", "next", "spin 3", "poll", "tick 1s", "advance", "idle", "unpin", "unpin", "fail-pinned", g.spawn(), "dump")
}

func (g *author) fromOutside() string {
	return g.pick(
		"deliver "+g.ticket()+g.pick("", " closed", " failed"),
		"post deliver "+g.ticket(),
		g.pick("", "post ")+"complete "+g.operation()+g.pick("", " 5", " error oops"),
		"complete "+g.cell()+" 1",
		g.pick("", "post ")+g.pick("cancel ", "kill ")+g.fiber(),
		"wake "+g.fiber(),
		"tick 1s", "cancellations", "try-send c0 3", "try-recv c1", "cell "+g.fresh("e"),
		g.pick("verify", "history", "lookup 1"),
	)
}

func (g *author) running() string {
	return g.pick(
		"claim", "claim", "claim", "yield", "finish timeslice-expired", "finish block queue"+g.by(),
		g.pick("finish done", "finish panic", "exit", "exit 1", "exit error oops", "close c1"),
		"arm queue"+g.by()+g.pick("", " external"),
		"arm queue on "+g.alternative()+" "+g.alternative()+g.by(),
		g.pick("arm queue on m0", "arm timer 1s", "sleep 1s", "sleep 0s", "arm io "+g.operation()+g.by()),
		"submit "+g.fresh("o"), "await "+g.operation()+g.by(),
		g.pick("take "+g.operation(), "attach "+g.operation()+" "+g.cell()),
		"send c0 1"+g.by(), "send c1 2", "recv c0"+g.by(), "recv c1",
		"select "+g.alternative()+" "+g.alternative()+g.pick("", " default")+g.by(),
		g.pick("lock m0", "lock m1")+g.by(), g.pick("unlock m0", "unlock m1"),
		"join "+g.pick(g.joinable(), g.cell())+g.by(),
		"acquire "+g.fresh("t"), "acquire "+g.fresh("t"), "yield-pinned", "release "+g.fiber(), "release "+g.fiber(),
		g.pick("mask", "unmask", "take-interrupt"),
		g.pick("defer 0 c", "defer 1 d", "panic x", "panic x", "panic exit x", "panic fatal x"),
		g.pick("unwind", "unwind", "end-defer", "recover 1", "recover 2", "return 0", "return 1"),
	)
}

// any is a command of the table with words of its kinds of arguments. It never begins again.
func (g *author) any() string {
	usages := g.table.Usages()
	return script.Sample(usages[1+g.rng.IntN(len(usages)-1)], g.rng, g.word)
}

// word is a word for a placeholder of a usage.
func (g *author) word(placeholder string) string {
	switch placeholder {
	case "NAME":
		return g.fresh("n")
	case "FIBER":
		return g.pick(g.fiber(), g.joinable())
	case "TICKET":
		return g.ticket()
	case "OPERATION":
		return g.operation()
	case "CELL":
		return g.cell()
	case "CHAN", "SENDER":
		return g.pick("c0", "c1", "s0")
	case "MUTEX":
		return g.pick("m0", "m1")
	case "CASE":
		return g.alternative()
	case "OUTCOME":
		return g.pick("frame-changed", "timeslice-expired", "panic", "done", "osr")
	case "CODE":
		return g.pick("ok", "closed", "failed")
	case "D":
		return g.pick("0s", "1s")
	}
	return g.pick("0", "1", "2")
}

// Every row of the table can be drawn, and what is drawn is rarely refused for its form.
func TestRandomCommandsFollowTheTable(t *testing.T) {
	g := randomScript(rand.New(rand.NewPCG(1, 1)), 100)
	drawn := map[string]bool{}
	for range 2000 {
		name, _, _ := strings.Cut(g.any(), " ")
		drawn[name] = true
	}
	if want := len(g.table.Commands) - 1; len(drawn) != want {
		t.Errorf("%d commands were drawn, want %d", len(drawn), want)
	}
}
