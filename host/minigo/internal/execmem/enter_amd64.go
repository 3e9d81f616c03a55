package execmem

// enter calls code with R14 = c, BX = c.N and R15 = c.Budget. Code returns its exit in AX,
// and BX and R15 as they are then.
//
//go:noescape
func enter(c *Context, at uintptr)
