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
	// JITOn compiles hot functions, where machine code is supported.
	JITOn JITMode = iota
	// JITOff interprets everything.
	JITOff
	// JITEager compiles everything before it runs, and fails where machine code is not supported.
	JITEager
)

// mixed is the state of the JIT.
type mixed struct {
	target  jit.Target
	ctx     execmem.Context
	codes   []compiled // by the numbers of the functions
	entries []uintptr  // by the numbers of the functions; called by code, 0 if there is no code
	pages   []*execmem.Pages
	hot     bool // functions are compiled once they are hot
	stats   JITStats
	exits   [jit.Exits]uint64
}

// compiled is the machine code of a function, if it has any.
type compiled struct {
	text       uintptr // its address; 0 if there is none
	entries    []int32
	writesRefs bool
	heat       uint8 // how often a sample found the function running
	refused    bool
}

// hotEnough is how many samples make a function hot.
const hotEnough = 10

// JITWorks tries to make machine code. The error says why this machine does not support it.
func JITWorks() error {
	probe, err := execmem.Map([]byte{0xc3})
	if err != nil {
		return fmt.Errorf("minigo: %w", err)
	}
	return probe.Unmap()
}

// newMixed prepares the JIT. An error says why it is not supported.
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

// beginJIT prepares the JIT as the Config asks. If machine code is not supported, only JITEager
// returns an error.
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
	}
	return err
}

// compileEagerly compiles all functions in mode JITEager.
func (m *Machine) compileEagerly() error {
	if m.cfg.JIT != JITEager {
		return nil
	}
	return m.jit.compile(m.prog.Funcs...)
}

// compile compiles functions into the same pages.
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

// codeAlign is the alignment of functions.
const codeAlign = 32

// sample counts the top function when the interpreter's stretch ends.
func (j *mixed) sample(fr *frame) {
	c := j.code(fr.fn)
	if !j.hot || c.text != 0 || c.refused {
		return
	}
	if c.heat++; c.heat >= hotEnough {
		if err := j.compile(fr.fn); err != nil {
			j.hot = false // no more pages are available
			j.stats.Why = err.Error()
		}
	}
}

// called counts a function without code that code has called.
func (j *mixed) called(fr *frame) {
	if fr.pc == 0 {
		j.sample(fr)
	}
}

// close unmaps the pages.
func (j *mixed) close() {
	for _, p := range j.pages {
		if err := p.Unmap(); err != nil {
			panic(err) // they were mapped by this machine
		}
	}
	j.pages = nil
	clear(j.codes)
	clear(j.entries)
}
