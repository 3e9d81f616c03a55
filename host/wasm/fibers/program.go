package fibers

import (
	"context"

	"github.com/tetratelabs/wazero"

	"github.com/selvage-dev/selvage/host/wasm"
)

// Program is a compiled program. It does not change: any number of Hosts may have it (Config.Program), at
// the same time, each on its own goroutine.
type Program struct {
	name   string
	binary []byte
	cache  wazero.CompilationCache
	owned  bool          // Compile has made the cache
	cfg    wasm.Config   // of Compile
	rt     *wasm.Runtime // has the engine
	module *wasm.Module
}

// Compile compiles a program; the name is for messages. The machine code is kept in memory until Close,
// or in cfg.Cache if there is one; cfg.TableEntries must be that of the Hosts. A Host that is given the
// Program needs no more than instances of it. One with modules of its own (Bind, Runtime), or with
// another limit of MemoryPages, reads, checks and meters the binary again, but makes no machine code. Any
// goroutine may call it. The error is a *wasm.ModuleError.
func Compile(name string, binary []byte, cfg wasm.Config) (*Program, error) {
	p := &Program{name: name, binary: binary, cache: cfg.Cache}
	if p.cache == nil {
		p.cache, p.owned = wazero.NewCompilationCache(), true
	}
	cfg.Cache, cfg.Modules = p.cache, define
	p.cfg, p.rt = cfg, wasm.New(cfg)
	var err error
	if p.module, err = p.rt.Compile(name, binary); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// program is the module of Config.Program.
func (h *Host) program() (*wasm.Module, error) {
	p, own := h.cfg.Program, h.cfg.Wasm
	if h.rt.HasEngine() || own.MemoryPages != p.cfg.MemoryPages || own.TableEntries != p.cfg.TableEntries {
		return h.rt.Compile(p.name, p.binary)
	}
	return p.module.On(h.rt), nil
}

// Close frees the machine code. Close the Hosts before.
func (p *Program) Close() {
	p.rt.Close()
	if p.owned {
		_ = p.cache.Close(context.Background()) // the error is always nil
	}
}
