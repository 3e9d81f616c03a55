//go:build !amd64 || !(linux || darwin || freebsd)

package execmem

import (
	"fmt"
	"runtime"
)

// Pages is executable code; not supported on this machine.
type Pages struct{}

// Map fails: machine code is not supported on this machine.
func Map([]byte) (*Pages, error) {
	return nil, fmt.Errorf("execmem: no machine code on %s/%s", runtime.GOOS, runtime.GOARCH)
}

// Addr is where the code begins.
func (p *Pages) Addr() uintptr { return 0 }

// Unmap has nothing to do.
func (p *Pages) Unmap() error { return nil }
