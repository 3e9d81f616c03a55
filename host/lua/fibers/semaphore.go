package fibers

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wait"
)

// semaphore is permits that go back when their holder dies.
type semaphore struct {
	*wait.Semaphore
	host *Host
}

// maxPermits is more than there are fibers.
const maxPermits = 1 << 31

func (h *Host) checkSemaphore(L *glua.LState) *semaphore {
	return receiver[*semaphore](h, L, "semaphore", "s")
}

func (h *Host) openSemaphore() {
	h.types.semaphore = h.newType("fiber.semaphore", map[string]glua.LGFunction{
		"acquire": h.acquire, "try_acquire": h.tryAcquire, "release": h.release, "with": h.withPermit,
	})
	h.nameType(h.types.semaphore, "semaphore", func(L *glua.LState) string { return h.checkSemaphore(L).Name() })
}

func (h *Host) newSemaphore(L *glua.LState) int {
	n := integer(L, 1, "permits", L.CheckNumber(1), 1, maxPermits)
	s := &semaphore{wait.NewSemaphore(n), h}
	s.SetName(h.objectName(L))
	L.Push(object(s, h.types.semaphore))
	return 1
}

// permits reads how many are meant: 1 if it is not said. Too few are for the semaphore to
// refuse, which says its name.
func permits(L *glua.LState) int64 {
	n := L.OptNumber(2, 1)
	if -maxPermits <= n && n <= 0 && n == glua.LNumber(int64(n)) {
		return int64(n)
	}
	return integer(L, 2, "permits", n, 1, maxPermits)
}

func (h *Host) acquire(L *glua.LState) int {
	s, c, n := h.checkSemaphore(L), h.self(L), permits(L)
	deadline := h.deadline(L, 3)
	return h.ended(L, c, c.fiber.AcquireUntil(s.Semaphore, n, deadline))
}

func (h *Host) tryAcquire(L *glua.LState) int {
	s, c, n := h.checkSemaphore(L), h.self(L), permits(L)
	ok, err := c.fiber.TryAcquire(s.Semaphore, n)
	return h.tried(L, c, ok, err)
}

func (h *Host) release(L *glua.LState) int {
	s, c, n := h.checkSemaphore(L), h.self(L), permits(L)
	h.check(L, c.back(c.fiber.Release(s.Semaphore, n)))
	return 0
}

// withPermit is s:with(f, ...).
func (h *Host) withPermit(L *glua.LState) int {
	s, c := h.checkSemaphore(L), h.self(L)
	L.CheckFunction(2)
	h.check(L, c.back(c.fiber.Acquire(s.Semaphore, 1)))
	L.Remove(1)
	return h.during(L, func(now *carrier) error { return now.fiber.Release(s.Semaphore, 1) })
}
