//go:build amd64 && (linux || darwin || freebsd)

package execmem

import (
	"fmt"
	"syscall"
	"unsafe"
)

// Pages is code that can be entered until it is unmapped.
type Pages struct{ mem []byte }

// Map makes pages of code: it writes them while they are not executable, and then makes them
// executable and read-only.
func Map(code []byte) (*Pages, error) {
	const readWrite, readExecute = syscall.PROT_READ | syscall.PROT_WRITE, syscall.PROT_READ | syscall.PROT_EXEC
	mem, err := syscall.Mmap(-1, 0, len(code), readWrite, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("execmem: %w", err)
	}
	copy(mem, code)
	if err := syscall.Mprotect(mem, readExecute); err != nil {
		_ = syscall.Munmap(mem) // report the first error
		return nil, fmt.Errorf("execmem: %w", err)
	}
	return &Pages{mem}, nil
}

// Addr is where the code begins.
func (p *Pages) Addr() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(p.mem))) }

// Unmap frees the pages. Their addresses must not be entered again.
func (p *Pages) Unmap() error {
	mem := p.mem
	p.mem = nil
	return syscall.Munmap(mem)
}
