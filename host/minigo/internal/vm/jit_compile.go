package vm

import (
	"fmt"

	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/host/minigo/internal/execmem"
	"github.com/selvage-dev/selvage/host/minigo/internal/jit"
)

// JITMode says which functions become machine code.
type JITMode uint8

// The modes.
const (
	// JITOn compiles what runs often, where there is machine code at all.
	JITOn JITMode = iota
	// JITOff interprets everything.
	JITOff
	// JITEager compiles everything before it runs, and fails where there is no machine code.
	JITEager
)

// mixed is what a machine has beside its interpreter.
type mixed struct {
	target  jit.Target
	ctx     execmem.Context
	codes   []compiled // by the numbers of the functions
	entries []uintptr  // likewise; where code calls them, 0 if there is no code
	pages   []*execmem.Pages
	hot     bool // functions are compiled as they prove to be hot
	stats   JITStats
	exits   [jit.Exits]uint64
}

// compiled is the machine code of a function, if it has any.
type compiled struct {
	text       uintptr // where it is; 0: nowhere
	entries    []int32
	writesRefs bool
	heat       uint8 // how often the function was seen to run
	refused    bool
}

// hotEnough is how often a function must have been seen.
const hotEnough = 10

// JITWorks tries to make machine code. The error says why there is none on this machine.
func JITWorks() error {
	probe, err := execmem.Map([]byte{0xc3})
	if err != nil {
		return fmt.Errorf("minigo: %w", err)
	}
	return probe.Unmap()
}

// newMixed prepares machine code. An error says why there can be none.
func newMixed(m *Machine, hot bool) (*mixed, error) {
	if err := JITWorks(); err != nil {
		return nil, err
	}
	j := &mixed{target: m.target(), hot: hot}
	j.codes = make([]compiled, len(m.prog.Funcs))
	j.entries = make([]uintptr, len(m.prog.Funcs))
	m.entries = j.entries
	j.ctx.Entries = addressOf(j.entries)
	j.stats.Refused = map[string]int{}
	return j, nil
}

// beginJIT prepares machine code, as the Config wants it. Where there is none, only who insists
// on it hears an error.
func (m *Machine) beginJIT() (err error) {
	if m.cfg.JIT == JITOff {
		m.noJIT = "it is off"
		return nil
	}
	if m.jit, err = newMixed(m, m.cfg.JIT == JITOn); err != nil {
		m.noJIT = err.Error()
		if m.cfg.JIT == JITOn {
			return nil
		}
	}
	if m.jit != nil {
		m.stretch = min(m.stretch, sampleTicks)
		m.beyond = m.sched.Inspect().Budget() - m.stretch
	}
	return err
}

// compileEagerly compiles all functions, if that is wanted.
func (m *Machine) compileEagerly() error {
	if m.cfg.JIT != JITEager {
		return nil
	}
	return m.jit.compile(m.prog.Funcs...)
}

// compile makes code of functions, all in the same pages.
func (j *mixed) compile(fns ...*code.Func) error {
	var text []byte
	var made []*code.Func
	for _, fn := range fns {
		c := &j.codes[fn.Index]
		if c.text != 0 || c.refused || j.target.Funcs[fn.Index] != fn {
			continue
		}
		out, err := jit.Compile(fn, &j.target)
		if err != nil {
			c.refused = true
			j.stats.Refused[err.Error()]++
			continue
		}
		for len(text)%codeAlign != 0 {
			text = append(text, 0xcc)
		}
		c.text, c.entries, c.writesRefs = uintptr(len(text)), out.Entry, out.WritesRefs
		text = append(text, out.Text...)
		made = append(made, fn)
	}
	if len(made) == 0 {
		return nil
	}
	pages, err := execmem.Map(text)
	if err != nil {
		for _, fn := range made {
			j.codes[fn.Index] = compiled{refused: true}
		}
		return err
	}
	j.pages = append(j.pages, pages)
	for _, fn := range made {
		c := &j.codes[fn.Index]
		c.text += pages.Addr()
		j.entries[fn.Index] = c.text + uintptr(c.entries[0])
	}
	j.stats.Functions += len(made)
	j.stats.Bytes += len(text)
	return nil
}

// codeAlign is where functions begin.
const codeAlign = 32

// sample notes the function on top when the interpreter was stopped.
func (j *mixed) sample(fr *frame) {
	c := j.code(fr.fn)
	if !j.hot || c.text != 0 || c.refused {
		return
	}
	if c.heat++; c.heat >= hotEnough {
		if err := j.compile(fr.fn); err != nil {
			j.hot = false // there are no more pages to be had
			j.stats.Why = err.Error()
		}
	}
}

// called notes a function that code has called and that has none.
func (j *mixed) called(fr *frame) {
	if fr.pc == 0 {
		j.sample(fr)
	}
}

// close gives the pages back.
func (j *mixed) close() {
	for _, p := range j.pages {
		if err := p.Unmap(); err != nil {
			panic(err) // they are this machine's own
		}
	}
	j.pages = nil
	clear(j.codes)
	clear(j.entries)
}
