package meter_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/internal/asm"
)

// program is the text of a module that is being made up. Its functions take and give
// i32s and call only earlier ones; its loops are counted, so that it always ends.
type program struct {
	t     *rapid.T
	text  strings.Builder
	self  int // the function being written
	loops int // that are open
}

const variables = 4 // of a function: two parameters, two locals; behind them two counters

func drawProgram(t *rapid.T) []byte {
	p := &program{t: t}
	p.text.WriteString("memory 1 1\ntable 4\nglobal g i32 1\nelem 0 f0\n")
	for n := rapid.IntRange(1, 4).Draw(t, "functions"); p.self < n; p.self++ {
		fmt.Fprintf(&p.text, "func f%d (i32 i32) (i32) export\nlocals i32 i32 i32 i32\n", p.self)
		p.statements(3)
		p.expression(2)
		p.text.WriteString("end\n")
	}
	return asm.Assemble(p.text.String())
}

func (p *program) pick(n int) int { return rapid.IntRange(0, n-1).Draw(p.t, "pick") }

func (p *program) say(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

func (p *program) statements(depth int) {
	for n := p.pick(4); n > 0; n-- {
		p.statement(depth)
	}
}

func (p *program) statement(depth int) {
	if depth == 0 {
		p.expression(1)
		p.say("local.set %d", p.pick(variables))
		return
	}
	switch p.pick(8) {
	case 0:
		p.expression(2)
		p.say("i32.const 65535 i32.and")
		p.expression(2)
		p.say("i32.store8")
	case 1:
		p.expression(2)
		p.say("global.set g")
	case 2:
		p.expression(2)
		p.say("if")
		p.statements(depth - 1)
		p.say("else")
		p.statements(depth - 1)
		p.say("end")
	case 3, 4:
		p.loop(depth - 1)
	case 5:
		p.say("block")
		p.statements(depth - 1)
		p.expression(1)
		p.say("br_if 0")
		p.statements(depth - 1)
		p.say("end")
	case 6:
		p.say("block block block")
		p.expression(2)
		p.say("br_table 1 0 2 end")
		p.statements(depth - 1)
		p.say("br 1 end")
		p.statements(depth - 1)
		p.say("end")
	case 7:
		p.expression(1)
		p.say("if")
		p.expression(1)
		p.say("return end")
	}
}

// loop is one of up to three turns, two deep at most.
func (p *program) loop(depth int) {
	if p.loops == 2 {
		return
	}
	counter := variables + p.loops
	p.loops++
	p.say("i32.const %d local.set %d loop", 1+p.pick(3), counter)
	p.statements(depth)
	p.say("local.get %d i32.const 1 i32.sub local.tee %d br_if 0 end", counter, counter)
	p.loops--
}

func (p *program) expression(depth int) {
	if depth == 0 {
		p.say("local.get %d", p.pick(variables))
		return
	}
	switch p.pick(6) {
	case 0:
		p.say("i32.const %d", rapid.Int32().Draw(p.t, "constant"))
	case 1:
		p.say("global.get g")
	case 2:
		p.expression(depth - 1)
		p.say("i32.const 65535 i32.and i32.load8_u")
	case 3:
		p.expression(depth - 1)
		p.expression(depth - 1)
		p.call()
	default:
		p.expression(depth - 1)
		p.expression(depth - 1)
		p.say("i32.%s", rapid.SampledFrom([]string{"add", "sub", "mul", "xor", "shl", "lt_s", "rotl"}).Draw(p.t, "op"))
	}
}

// call calls an earlier function, the first also through the table; there may be none.
func (p *program) call() {
	switch {
	case p.self == 0:
		p.say("i32.add")
	case p.pick(3) == 0:
		p.say("i32.const 0 call_indirect (i32 i32) (i32)")
	default:
		p.say("call f%d", p.pick(p.self))
	}
}

// ending is all that can be seen of a run.
type ending struct {
	results []uint64
	global  uint64
	memory  string
}

func (w *world) run(t testing.TB, module []byte, a, b uint64) ending {
	m := w.mustLoad(t, module)
	defer func() { require.NoError(t, m.Close(t.Context())) }()
	last := ""
	for name := range m.ExportedFunctionDefinitions() {
		last = max(last, name)
	}
	results := w.call(t, m, last, a, b)
	memory, _ := m.Memory().Read(0, m.Memory().Size())
	return ending{results, m.ExportedGlobal("g").Get(), string(memory)}
}

func TestProgramsGiveTheSameResultsInSlicesOfAnyLength(t *testing.T) {
	plain, metered := newWorld(t, unmetered), map[int64]*world{}
	for _, slice := range slices() {
		metered[slice] = newWorld(t, slice)
	}
	rapid.Check(t, func(rt *rapid.T) {
		module := drawProgram(rt)
		a, b := uint64(rapid.Uint32().Draw(rt, "a")), uint64(rapid.Uint32().Draw(rt, "b"))
		want := plain.run(t, module, a, b)
		for slice, w := range metered {
			if got := w.run(t, module, a, b); !reflect.DeepEqual(got, want) {
				rt.Fatalf("in slices of %d: %v, %d; want %v, %d", slice, got.results, got.global, want.results, want.global)
			}
		}
	})
	require.Greater(t, metered[1].preempts, metered[7].preempts)
	require.Greater(t, metered[7].preempts, metered[1000].preempts)
}
