//go:build !amd64

package execmem

func enter(*Context, uintptr) { panic("execmem: no code runs on this machine") }
