//go:build amd64 || arm64

package prefetch

// Supported reports whether Load does anything here.
const Supported = true

// Load asks for the first line of each address, into the nearest cache.
//
//go:noescape
func Load(lines *Lines)
