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
	owned  bool // Compile has made the cache
}

// Compile compiles a program; the name is for messages. The machine code is kept in memory until Close,
// or in cfg.Cache if there is one; cfg.TableEntries must be that of the Hosts. A Host that is given the
// Program reads, checks and meters its binary again, but makes no machine code. Any goroutine may call it.
// The error is a *wasm.ModuleError.
func Compile(name string, binary []byte, cfg wasm.Config) (*Program, error) {
	p := &Program{name: name, binary: binary, cache: cfg.Cache}
	if p.cache == nil {
		p.cache, p.owned = wazero.NewCompilationCache(), true
	}
	cfg.Cache = p.cache
	rt := wasm.New(cfg)
	defer rt.Close()
	if _, err := rt.Compile(name, binary); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close frees the machine code. Close the Hosts before.
func (p *Program) Close() {
	if p.owned {
		_ = p.cache.Close(context.Background()) // the error is always nil
	}
}
