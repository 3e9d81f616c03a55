//go:build !amd64 || !(linux || darwin || freebsd)

package execmem

import (
	"fmt"
	"runtime"
)

// Pages is code that can be entered; there is none here.
type Pages struct{}

// Map fails: there is no code for this machine.
func Map([]byte) (*Pages, error) {
	return nil, fmt.Errorf("execmem: no machine code on %s/%s", runtime.GOOS, runtime.GOARCH)
}

// Addr is where the code begins.
func (p *Pages) Addr() uintptr { return 0 }

// Unmap has nothing to do.
func (p *Pages) Unmap() error { return nil }
