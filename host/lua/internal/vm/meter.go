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
// with "stack overflow"; see Small. Of calls that Go functions, metamethods and iterators
// make, which need Go stack, the direct loop nests no more than gopher-lua can.
func New(kind Kind, depth int, expire func()) *Meter {
	m := &Meter{expire: expire, depth: min(depth, maxDepth)}
	if kind == Best {
		m.direct = newDirect(m)
	}
	return m
}

// Direct tells which loop was taken.
func (m *Meter) Direct() bool { return m.direct != nil }

// Direct tells which loop a Meter of that kind would take.
func Direct(kind Kind) bool { return New(kind, 1, nil).Direct() }

// Attach makes a new thread, which has not run yet, count here.
func (m *Meter) Attach(L *glua.LState) {
	if m.direct == nil {
		L.SetContext(&metered{meter: m})
		return
	}
	m.direct.attach(m, L)
}

// Full are the options of a thread with all its call frames from the start, as gopher-lua
// makes them: the quickest. So is the registry, up to gopher-lua's size; beyond, it grows.
func (m *Meter) Full(registry int) glua.Options {
	o := glua.Options{CallStackSize: m.depth, RegistrySize: min(registry, glua.RegistrySize)}
	if registry > o.RegistrySize {
		o.RegistryMaxSize, o.RegistryGrowStep = registry, max(registry/32, registryStep)
	}
	return o
}

// Small are the options of the smallest thread that can grow to the same limits. A call
// stack that grows reports its end by a Go panic with a text of its own. The direct loop,
// which looks at the depth itself, gives it room that is never used up. With the context
// loop it does not grow, unless it is larger than gopher-lua's: then programs see the text.
func (m *Meter) Small(registry int) glua.Options {
	o := m.Full(registry)
	o.RegistrySize, o.RegistryMaxSize = min(smallRegistry, registry), registry
	o.RegistryGrowStep = registryStep
	o.MinimizeStackMemory = m.Direct() || m.depth > glua.CallStackSize
	if m.Direct() {
		o.CallStackSize = m.direct.room()
	}
	return o
}

const (
	smallRegistry = 48  // slots of 16 bytes: enough for a few small frames
	registryStep  = 128 // slots added when it grows; more when the calls are deep

	maxDepth  = 500_000 // gopher-lua numbers segments of eight frames in 16 bits
	maxNested = 256     // loops on one Go stack: as many as gopher-lua has frames
)
