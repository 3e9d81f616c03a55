package starlark

import (
	"time"

	starmath "go.starlark.net/lib/math"
	startime "go.starlark.net/lib/time"
	gostar "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// library is what all programs have.
func (h *Host) library() gostar.StringDict {
	names := gostar.StringDict{
		"fiber": &starlarkstruct.Module{Name: "fiber", Members: h.fiberModule()},
		"json":  chargedJSON(), "math": starmath.Module, "time": startime.Module,
		"struct": gostar.NewBuiltin("struct", starlarkstruct.Make),
	}
	charged(names)
	if !h.options.Set {
		delete(names, "set") // the engine says that the dialect has none
	}
	if h.pays() {
		payingOperators(names)
	}
	return names
}

// pays tells whether the work of operators is charged.
func (h *Host) pays() bool { return h.cfg.Quota.Steps > 0 || h.cfg.Quota.Memory > 0 }

// fiberModule is the module fiber.
func (h *Host) fiberModule() gostar.StringDict {
	members := gostar.StringDict{"TIMEOUT": timedOut, "CLOSED": ended, "EMPTY": empty, "args": h.args}
	for name, fn := range map[string]function{
		"spawn": spawn, "self": self, "yield_now": yield, "sleep": sleep, "now": now,
		"chan": newChan, "mutex": newMutex, "select": choose,
		"module": dynamic, "timeout": within, "scope": openScope,
	} {
		members[name] = builtinOf(name, fn)
	}
	return members
}

// yield is fiber.yield_now(): it lets every other ready fiber run first.
func yield(c *call) (gostar.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	return gostar.None, c.fiber.Yield()
}

// sleep is fiber.sleep(seconds).
func sleep(c *call) (gostar.Value, error) {
	var d duration
	if err := c.unpack("seconds", &d); err != nil {
		return nil, err
	}
	return gostar.None, c.fiber.Sleep(d.value)
}

// now is fiber.now(): seconds since the run began.
func now(c *call) (gostar.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	return gostar.Float(time.Duration(c.fiber.Now() - c.host.began).Seconds()), nil
}
