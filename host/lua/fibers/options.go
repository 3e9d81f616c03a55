package fibers

import (
	"slices"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// options are the named fields of a table argument, or of a table in one.
type options struct {
	env *env
	L   *glua.LState
	arg int // the position of the argument
	of  *glua.LTable
}

// options reads a table argument that may be absent. Its fields have the names, and are behind a
// list of so many values.
func (e *env) options(L *glua.LState, arg, listed int, names ...string) options {
	o := options{e, L, arg, L.OptTable(arg, nil)}
	o.only(listed, names)
	return o
}

// timeoutOr is options for an argument that may also be the option timeout alone.
func (e *env) timeoutOr(L *glua.LState, arg int, names ...string) options {
	if v := L.Get(arg); v != glua.LNil && v.Type() != glua.LTTable {
		of := L.NewTable()
		of.RawSetString("timeout", v)
		return options{e, L, arg, of}
	}
	return e.options(L, arg, 0, names...)
}

// only refuses a field that has none of the names: an option with a misspelt name has no effect.
func (o options) only(listed int, names []string) {
	if o.of == nil {
		return
	}
	var last glua.LValue = glua.LNil
	if listed > 0 {
		last = glua.LNumber(listed)
	}
	for key, _ := o.of.Next(last); key != glua.LNil; key, _ = o.of.Next(key) {
		if name, ok := key.(glua.LString); !ok || !slices.Contains(names, string(name)) {
			o.refuse(word(key), "no such option; want one of "+strings.Join(names, ", "))
		}
	}
}

func (o options) refuse(name, why string) { o.L.ArgError(o.arg, name+": "+why) }

func (o options) get(name string) glua.LValue {
	if o.of == nil {
		return glua.LNil
	}
	return o.of.RawGetString(name)
}

// choice is the index of a text in the choices; 0 if the option is absent.
func (o options) choice(name string, choices ...string) int {
	v := o.get(name)
	i := slices.Index(choices, v.String())
	switch {
	case v == glua.LNil:
		return 0
	case v.Type() != glua.LTString || i < 0:
		o.refuse(name, "want "+oneOf(choices)+", got "+word(v))
	}
	return i
}

// within is an option that is a table of options with the names.
func (o options) within(name string, names ...string) options {
	inner := options{o.env, o.L, o.arg, o.table(name)}
	inner.only(0, names)
	return inner
}

func (o options) text(name string) string {
	v := o.get(name)
	if v == glua.LNil {
		return ""
	}
	if !glua.LVCanConvToString(v) {
		o.refuse(name, "string expected, got "+typeName(v))
	}
	return v.String()
}

func (o options) table(name string) *glua.LTable {
	v := o.get(name)
	t, ok := v.(*glua.LTable)
	if !ok && v != glua.LNil {
		o.refuse(name, "table expected, got "+typeName(v))
	}
	return t
}

func (o options) flag(name string) bool {
	v := o.get(name)
	if v != glua.LNil && v.Type() != glua.LTBool {
		o.refuse(name, "true or false expected, got "+typeName(v))
	}
	return v == glua.LTrue
}

func (o options) timeout() fiber.Time {
	if n, given := o.number("timeout"); given {
		return o.env.until(o.L, o.arg, n)
	}
	return fiber.Never
}

// seconds is 0 if the field is absent.
func (o options) seconds(name string) time.Duration {
	n, _ := o.number(name)
	d, err := wait.Seconds(float64(n))
	if err != nil {
		o.refuse(name, plain(err))
	}
	return d
}

func (o options) number(name string) (n glua.LNumber, given bool) {
	v := o.get(name)
	n, given = v.(glua.LNumber)
	if !given && v != glua.LNil {
		o.refuse(name, "number of seconds expected, got "+typeName(v))
	}
	return n, given
}
