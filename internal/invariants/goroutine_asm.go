//go:build invariants && (amd64 || arm64)

package invariants

// goroutine identifies the calling goroutine: the address of the runtime's record of it, in the
// register or thread-local word that the assembler calls g. Nothing in the record is read. Records
// neither move nor are freed; another goroutine can have it when this one has ended.
func goroutine() uintptr
