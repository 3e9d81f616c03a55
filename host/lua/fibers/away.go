package fibers

import (
	"context"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
)

// away does work that takes long on a worker, while the fiber that executes L waits. Code that no fiber
// runs cannot wait.
func (h *Host) away(L *glua.LState, work func()) {
	c := h.env.caller(L)
	if c == nil {
		work()
		return
	}
	_, err := fiberio.Do(h.external.world(L), c.fiber, fiber.Never, func(context.Context) (any, error) {
		work()
		return nil, nil
	})
	h.env.check(L, c.back(err))
}
