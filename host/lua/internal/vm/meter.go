package vm

import glua "github.com/yuin/gopher-lua"

// Meter counts down the instructions of the Lua threads attached to it. All of them
// run on one goroutine at a time, and so does everything here.
type Meter struct {
	// Left is how many instructions may still run. The owner sets it when a slice
	// starts; native code may decrement it.
	Left int64

	expire func()
	depth  int
	direct *direct // nil: the context loop
}

// Kind chooses a loop.
type Kind uint8

const (
	// Best is the direct loop where it can be had.
	Best Kind = iota
	// Context is the context loop everywhere.
	Context
)

// New makes a Meter. expire is called before an instruction that Left does not cover,
// on the thread that is about to execute it; it must set Left again, not counting that
// instruction. It may do what it likes to the goroutine: suspend it, or end it.
//
// depth is how many call frames a thread may have, Lua's and Go's, before a call fails
// with "stack overflow"; see Small.
func New(kind Kind, depth int, expire func()) *Meter {
	m := &Meter{expire: expire, depth: depth}
	if kind == Best {
		m.direct = newDirect(m)
	}
	return m
}

// Direct tells which loop was taken.
func (m *Meter) Direct() bool { return m.direct != nil }

// Attach makes a new thread, which has not run yet, count here.
func (m *Meter) Attach(L *glua.LState) {
	if m.direct == nil {
		L.SetContext(&metered{meter: m})
		return
	}
	m.direct.attach(L)
}

// Full are the options of a thread with all its call frames and registry slots from the
// start, as gopher-lua makes them: the quickest.
func (m *Meter) Full(registry int) glua.Options {
	return glua.Options{CallStackSize: m.depth, RegistrySize: registry}
}

// Small are the options of the smallest thread that can grow to the same limits. A call
// stack that grows reports its end by a Go panic with a text of its own. With the direct
// loop, which looks at the depth itself, it gets a margin that is never reached; with the
// context loop it does not grow.
func (m *Meter) Small(registry int) glua.Options {
	o := m.Full(registry)
	o.RegistrySize, o.RegistryMaxSize = min(smallRegistry, registry), registry
	o.RegistryGrowStep = registryStep
	if m.Direct() {
		o.MinimizeStackMemory = true
		o.CallStackSize += 2 * glua.FramesPerSegment
	}
	return o
}

const (
	smallRegistry = 48  // slots of 16 bytes: enough for a few small frames
	registryStep  = 128 // slots added when it grows
)
