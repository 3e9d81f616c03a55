package wasm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/stackful"
)

// Config is what a Runtime is made with; the zero Config is usable.
type Config struct {
	// Runtime configures the scheduler. Its Budget is the slice: how many wasm
	// instructions a fiber runs before others get their turn.
	Runtime stackful.Config
	// MemoryPages is how many pages of 64 KB the memory of an instance may have or grow
	// to, by default 16,384, which is a gigabyte.
	MemoryPages uint32
	// TableEntries is how many entries the tables of an instance may have; see meter.Options.
	TableEntries uint32
	// Nesting is how deep calls from host functions into wasm may be nested in one fiber,
	// by default 1000. Each level needs some of the host's stack.
	Nesting int
	// Cache keeps compiled code for other Runtimes, or in a directory for other processes;
	// nil keeps none. Compiling takes about a second for three megabytes.
	Cache wazero.CompilationCache
}

const (
	defaultMemoryPages = 16_384
	defaultNesting     = 1000
)

// Runtime compiles modules and runs their instances on the fibers of a stackful.Runtime.
// It belongs to the goroutine that owns those.
type Runtime struct {
	config Config
	fibers *stackful.Runtime
	owned  bool
	engine wazero.Runtime
	calls  map[fiber.ID]*Caller // the innermost call of each fiber that is in one
}

// New makes a Runtime with fibers of its own. Close ends both.
func New(cfg Config) *Runtime {
	r := newRuntime(cfg)
	site := cfg.Runtime.Site
	cfg.Runtime.Site = func(id fiber.RegularID) string {
		if s := r.Site(id); s != "" || site == nil {
			return s
		}
		return site(id)
	}
	r.fibers, r.owned = stackful.New(cfg.Runtime), true
	return r
}

// NewOn makes a Runtime for fibers that another host has too. Config.Runtime means
// nothing then; reports name functions of wasm if that host's Site asks Runtime.Site.
func NewOn(fibers *stackful.Runtime, cfg Config) *Runtime {
	r := newRuntime(cfg)
	r.fibers = fibers
	return r
}

func newRuntime(cfg Config) *Runtime {
	setDefault(&cfg.MemoryPages, defaultMemoryPages)
	setDefault(&cfg.Nesting, defaultNesting)
	r := &Runtime{config: cfg, calls: map[fiber.ID]*Caller{}}
	features := api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall | experimental.CoreFeaturesExtendedConst
	engine := wazero.NewRuntimeConfig().WithCoreFeatures(features).WithMemoryLimitPages(min(cfg.MemoryPages, maxPages))
	if cfg.Cache != nil {
		engine = engine.WithCompilationCache(cfg.Cache)
	}
	r.engine = wazero.NewRuntimeWithConfig(context.Background(), engine)
	_, err := r.engine.NewHostModuleBuilder(meter.Host).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(r.preempt), nil, nil).Export(meter.Preempt).Instantiate(context.Background())
	if err != nil {
		panic(fmt.Sprintf("wasm: the engine refuses %s.%s: %v", meter.Host, meter.Preempt, err))
	}
	return r
}

// maxPages is what 32 bits can address.
const maxPages = 1 << 16

func setDefault[N int | uint32](v *N, d N) {
	if *v <= 0 {
		*v = d
	}
}

// Fibers is what instances run on.
func (r *Runtime) Fibers() *stackful.Runtime { return r.fibers }

// Engine is wazero's own runtime, for what it offers besides: host modules made with its
// builder, as WASI is. Do not instantiate guests with it: they would not be metered, and
// not run on a fiber.
func (r *Runtime) Engine() wazero.Runtime { return r.engine }

// Close kills what still runs, if the fibers are the Runtime's own, and frees the code.
// If they are not, they must have left wasm.
func (r *Runtime) Close() {
	if r.owned {
		r.fibers.Close()
	}
	_ = r.engine.Close(context.Background()) // that of memory; nobody is left to be told
}

// budget is the fuel of a slice.
func (r *Runtime) budget() int64 { return int64(r.fibers.Scheduler().Inspect().Budget()) }

// preempt is called by code that has used up its fuel.
func (r *Runtime) preempt(ctx context.Context, m api.Module, _ []uint64) {
	c := callerOf(ctx, meter.Preempt)
	if err := c.Fiber.Yield(); err != nil {
		panic(err)
	}
	if c.instance != nil && c.instance.module == m {
		c.instance.fuel.Set(uint64(r.budget()))
	} else { // the start function of an instance that is being made
		fuelOf(m).Set(uint64(r.budget()))
	}
}

func fuelOf(m api.Module) api.MutableGlobal {
	return m.ExportedGlobal(meter.Fuel).(api.MutableGlobal)
}

// Site tells, for reports, in which calls a fiber is, outermost first:
// "app.wasm: run → env.sleep". It is empty if it is in none.
func (r *Runtime) Site(id fiber.RegularID) string {
	var parts []string
	for c := r.calls[id.ID()]; c != nil; c = c.outer {
		if c.host != "" {
			parts = append(parts, c.host)
		}
		parts = append(parts, c.target())
	}
	slices.Reverse(parts)
	return strings.Join(parts, " → ")
}
