package execmem

// enter calls code with R14 = c, BX = c.N and R15 = c.Budget. Code returns its exit in AX, and
// the current values in BX and R15.
//
//go:noescape
func enter(c *Context, at uintptr)
