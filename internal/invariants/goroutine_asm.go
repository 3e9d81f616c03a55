//go:build invariants && (amd64 || arm64)

package invariants

// goroutine identifies the calling goroutine: the address of what the runtime keeps about it, which
// is never freed. Another goroutine can have it once this one has ended.
func goroutine() uintptr
