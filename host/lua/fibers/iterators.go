package fibers

import (
	"runtime"
	"slices"
	"sync/atomic"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/bind"
)

// iterators are those of one fiber that have not ended. Each may have a goroutine. They end with the
// fiber, and before, when the program cannot call them any more.
type iterators []*iterator

type iterator struct {
	*bind.Pull
	unreachable atomic.Bool // set by the garbage collector, after the function of the program
}

// iterator makes the Lua function of an iterator.
func (e *env) iterator(L *glua.LState, p *bind.Pull) glua.LValue {
	c := e.self(L)
	c.iterators.sweep()
	it := &iterator{Pull: p}
	c.iterators = append(c.iterators, it)
	fn := L.NewFunction(func(L *glua.LState) int {
		values, err := p.Next()
		if err != nil {
			e.raiseGo(L, err)
		}
		if values == nil {
			return push(L, glua.LNil)
		}
		e.pay(values)
		return push(L, e.luaAll(values)...)
	})
	runtime.AddCleanup(fn, func(it *iterator) { it.unreachable.Store(true) }, it)
	return fn
}

// sweep ends the iterators that no program can call any more.
func (list *iterators) sweep() {
	*list = slices.DeleteFunc(*list, func(it *iterator) bool {
		if !it.unreachable.Load() {
			return it.Ended()
		}
		_ = it.Stop() // a panic of a function that no program uses
		return true
	})
}

// end ends all of them, with the fiber.
func (list *iterators) end() {
	for _, it := range *list {
		_ = it.Stop() // the fiber has ended: there is no program to tell
	}
	*list = nil
}
