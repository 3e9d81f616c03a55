package vm

import (
	"context"

	glua "github.com/yuin/gopher-lua"
)

// Meter counts down the instructions of the Lua threads attached to it. One goroutine at a time
// runs the threads and uses the Meter.
type Meter struct {
	// Left is how many instructions the time slice still has. The owner sets it when a time
	// slice starts; native code may decrement it.
	Left int64
	// Room is how many bytes the threads may still allocate until the owner must make room. A Meter
	// that does not count (Limit) has always enough.
	Room int64

	long   bool // see ExpectLong
	expire func()
	full   func(n int64)
	depth  int
	direct *direct // nil: the context loop

	watched  *Accesses // nil: accesses are not reported
	profiled *profiled // nil: no samples are taken

	// Building is where the routine that executes counts the texts that it builds.
	Building *int64

	counted int64     // bytes of the results of a Go function that have been counted
	numbers []float64 // a block of the results of Go functions
}

// Kind chooses a loop.
type Kind uint8

const (
	// Best is the direct loop where it is possible.
	Best Kind = iota
	// Context is the context loop everywhere.
	Context
)

// New makes a Meter. expire is called before the first instruction that Left does not cover, on
// the thread that executes it next; Left is -1 then, or less if native code has used more. It must set Left to the instructions after that one, and may
// suspend or end the goroutine.
//
// depth is how many call frames of Lua and Go functions a thread may have before a call fails
// with "stack overflow". The direct loop nests calls by Go functions, metamethods and
// iterators, which need Go stack, only as deep as gopher-lua does.
func New(kind Kind, depth int, expire func()) *Meter {
	m := &Meter{Room: unlimited, expire: expire, depth: min(depth, maxDepth)}
	if kind == Best {
		m.direct = newDirect(m)
	}
	return m
}

// Direct returns whether the Meter uses the direct loop.
func (m *Meter) Direct() bool { return m.direct != nil }

// Direct returns whether a Meter of that kind would use the direct loop.
func Direct(kind Kind) bool { return New(kind, 1, nil).Direct() }

// Registers is how many registers a thread has; 0 if that is not known, or the thread is nil.
func (m *Meter) Registers(L *glua.LState) int {
	if m.direct == nil || L == nil {
		return 0
	}
	return m.direct.place.registers(L)
}

// Attach makes the Meter count the instructions of a thread that has not run yet. nested is how many
// loops execute on its Go stack; nil if that is not known.
func (m *Meter) Attach(L *glua.LState) (nested *int) {
	if m.direct == nil {
		L.SetContext(&metered{context.Background(), m})
		return nil
	}
	return m.direct.attach(m, L)
}

// Full are the options of a thread that allocates all its call frames at the start, as in
// gopher-lua: of one that no Meter counts. It also allocates the registry, up to the size in
// gopher-lua; beyond that the registry grows.
func (m *Meter) Full(registry int) glua.Options {
	o := glua.Options{CallStackSize: m.depth, RegistrySize: min(registry, glua.RegistrySize)}
	if registry > o.RegistrySize {
		o.RegistryMaxSize, o.RegistryGrowStep = registry, max(registry/32, registryStep)
	}
	return o
}

// Small are the options of the smallest thread that, once attached, can grow to the same limits.
// With the direct loop it has a fixed call stack of gopher-lua, which the loop replaces by larger
// ones. With the context loop the stack has its full size, unless that is more than gopher-lua's:
// then it is a growing one of gopher-lua, which reports its overflow by a Go panic with another text.
func (m *Meter) Small(registry int) glua.Options {
	o := m.Full(registry)
	o.RegistrySize, o.RegistryMaxSize = min(smallRegistry, registry), registry
	o.RegistryGrowStep = registryStep
	if m.Direct() {
		o.CallStackSize = m.direct.first
	} else {
		o.MinimizeStackMemory = m.depth > glua.CallStackSize
	}
	return o
}

const (
	smallRegistry = 48  // slots of 16 bytes: enough for a few small frames
	registryStep  = 128 // slots added when it grows; more when the calls are deep

	maxDepth  = 500_000 // gopher-lua numbers segments of eight frames in 16 bits
	maxNested = 256     // loops on one Go stack: the number of frames in gopher-lua
)
