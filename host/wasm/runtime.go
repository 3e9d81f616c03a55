package wasm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/internal/gotools"
	"github.com/selvage-dev/selvage/internal/stepcount"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Config configures a Runtime. The zero Config is usable.
type Config struct {
	// Runtime configures the scheduler. Its Budget is the time slice: how many wasm
	// instructions a fiber executes before it is preempted.
	Runtime stackful.Config
	// MemoryPages is the most pages of 64 KB that the memory of an instance may have, by
	// default 16,384, which is a gigabyte.
	MemoryPages uint32
	// TableEntries is the most entries that the tables of an instance may have; see
	// meter.Options.
	TableEntries uint32
	// MaxDepth is how deep calls from host functions into wasm may be nested in one fiber, by
	// default 1000. Each level needs Go stack.
	MaxDepth int
	// Cache keeps compiled code for other Runtimes, or in a directory for other processes;
	// nil keeps none. The compilation of three megabytes takes about a second.
	Cache wazero.CompilationCache
	// Modules defines host modules in each engine that is made, before all others; see Define. A module is
	// shared by Runtimes with the same Modules (Module.On), so that its functions find what they belong to
	// by Caller.Host.
	Modules func(engine wazero.Runtime) error
	// Host is what Caller.Host returns.
	Host any
}

const (
	defaultMemoryPages = 16_384
	defaultNesting     = 1000
)

// Runtime compiles modules and runs their instances on the fibers of a stackful.Runtime. It
// belongs to the owner of that.
type Runtime struct {
	config Config
	fibers *stackful.Runtime
	owned  bool           // New has made fibers, and Close closes them
	engine wazero.Runtime // nil before Engine
	making sync.Once
	made   atomic.Bool          // Engine has been called
	calls  map[fiber.ID]*Caller // the innermost call of each fiber, if it has one

	instances map[*Instance]struct{} // that are not closed
	uncounted *scheduler.Group
	steps     stepcount.Counts // of fibers with quotas, and with CountSteps of all
	shown     *gotools.Slices  // labels for Go's tools; nil without Config.Runtime.GoTools
}

// Memory is how many bytes the linear memories of all instances have.
func (r *Runtime) Memory() (bytes int64) {
	for i := range r.instances {
		if m := i.module.Memory(); m != nil {
			bytes += int64(m.Size())
		}
	}
	return bytes
}

// Uncounted tells that a Group has no quotas: what its own fibers use is not counted, so that it costs no time.
func (r *Runtime) Uncounted(g *scheduler.Group) { r.uncounted = g }

// New makes a Runtime with fibers of its own. Close closes both.
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
	if cfg.Runtime.GoTools {
		r.shown = gotools.New(r.fibers.Scheduler().Inspect().Name)
	}
	return r
}

// NewOn makes a Runtime for fibers that another host has made. It ignores Config.Runtime. Reports
// name functions of wasm if the Site of that host calls Runtime.Site.
func NewOn(fibers *stackful.Runtime, cfg Config) *Runtime {
	r := newRuntime(cfg)
	r.fibers = fibers
	return r
}

func newRuntime(cfg Config) *Runtime {
	setDefault(&cfg.MemoryPages, defaultMemoryPages)
	setDefault(&cfg.MaxDepth, defaultNesting)
	r := &Runtime{config: cfg, calls: map[fiber.ID]*Caller{}, instances: map[*Instance]struct{}{}}
	return r
}

// newEngine makes an engine with what metered code imports.
func newEngine(cfg Config) wazero.Runtime {
	features := api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall | experimental.CoreFeaturesExtendedConst
	options := wazero.NewRuntimeConfig().WithCoreFeatures(features).WithMemoryLimitPages(min(cfg.MemoryPages, maxPages))
	if cfg.Cache != nil {
		options = options.WithCompilationCache(cfg.Cache)
	}
	engine := wazero.NewRuntimeWithConfig(context.Background(), options)
	_, err := engine.NewHostModuleBuilder(meter.Host).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(preempt), nil, nil).Export(meter.Preempt).Instantiate(context.Background())
	if err == nil && cfg.Modules != nil {
		err = cfg.Modules(engine)
	}
	if err != nil {
		panic(fmt.Sprintf("wasm: the engine refuses %s.%s or what Config.Modules defines: %v", meter.Host, meter.Preempt, err))
	}
	return engine
}

// maxPages is the most pages that a 32-bit address reaches.
const maxPages = 1 << 16

func setDefault[N int | uint32](v *N, d N) {
	if *v <= 0 {
		*v = d
	}
}

// Fibers is the runtime that instances run on.
func (r *Runtime) Fibers() *stackful.Runtime { return r.fibers }

// Engine is wazero's own runtime, for host modules made with its builder, such as WASI. The first call of
// Engine, Define or Compile makes it. Do not instantiate guests with it: they would not be metered, and not run on
// a fiber.
func (r *Runtime) Engine() wazero.Runtime {
	r.making.Do(func() {
		r.engine = newEngine(r.config)
		r.made.Store(true)
	})
	return r.engine
}

// HasEngine returns whether the engine has been made. Modules of the embedder may be defined in it.
func (r *Runtime) HasEngine() bool { return r.made.Load() }

// Close kills the fibers that still run, if New has made them, and frees the code. Fibers of
// another host must have returned from wasm.
func (r *Runtime) Close() {
	if r.owned {
		r.fibers.Close()
	}
	for i := range r.instances {
		i.Close() // the engine may be that of another Runtime
	}
	if r.HasEngine() {
		_ = r.engine.Close(context.Background()) // frees memory; no caller can handle an error
	}
}

// budget is the fuel of a time slice.
func (r *Runtime) budget() int64 { return int64(r.fibers.Scheduler().Inspect().Budget()) }

// Site names the calls of a fiber for reports, outermost first: "app.wasm: run → env.sleep". It is
// "" for a fiber without a call.
func (r *Runtime) Site(id fiber.RegularID) string {
	var parts []string
	for _, f := range slices.Backward(r.stack(id)) {
		if f.File != "" {
			f.Function = f.File + ": " + f.Function
		}
		parts = append(parts, f.Function)
	}
	return strings.Join(parts, " → ")
}

// Stack is the calls that a fiber is in, as far as they pass between host and wasm, the innermost first: an exported
// function, with its module as the file, and the host function that it has called and that has not returned. The
// engine does not tell the calls between them, nor lines. It is nil if the fiber has ended, and empty if it is in no
// call.
func (r *Runtime) Stack(id fiber.RegularID) []frame.Frame {
	if _, alive := r.fibers.Scheduler().Fiber(id); !alive {
		return nil
	}
	return r.stack(id)
}

// Function is the innermost exported function that a fiber is in, by the name that Stack has for it; "" if it is in none.
// Its cost does not depend on how deep the calls are nested.
func (r *Runtime) Function(id fiber.RegularID) string {
	if c := r.calls[id.ID()]; c != nil {
		return c.function
	}
	return ""
}

// show labels the goroutine of a fiber for Go's own tools by the exported function that it executes, if that is asked
// for. Package stackful labels it by ID and name, and takes the labels away.
func (r *Runtime) show(id fiber.ID, function string) {
	if r.shown != nil {
		r.shown.LabelIn(id, function)
	}
}

func (r *Runtime) stack(id fiber.RegularID) []frame.Frame {
	list := []frame.Frame{}
	for c := r.calls[id.ID()]; c != nil; c = c.outer {
		if c.host != "" {
			list = append(list, frame.Frame{Function: c.host})
		}
		list = append(list, frame.Frame{Function: c.function, File: c.module.name})
	}
	return list
}
