//go:build !amd64 && !arm64

package prefetch

// Supported reports whether Load does anything here.
const Supported = false

// Load does nothing where there is no routine for it.
func Load(*Lines) {}
