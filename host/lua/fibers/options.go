package fibers

import (
	"slices"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// options are the named fields of a table argument.
type options struct {
	env *env
	L   *glua.LState
	arg int // the position of the argument
	of  *glua.LTable
}

// optional reads an argument that may be absent, or a timeout alone.
func (e *env) optional(L *glua.LState, arg int) options {
	o := options{e, L, arg, L.NewTable()}
	switch v := L.Get(arg).(type) {
	case *glua.LTable:
		o.of = v
	case *glua.LNilType:
	default:
		o.of.RawSetString("timeout", v)
	}
	return o
}

// only refuses an option that has none of the names: a limit with a misspelt name would be none.
func (o options) only(names ...string) {
	for key, _ := o.of.Next(glua.LNil); key != glua.LNil; key, _ = o.of.Next(key) {
		if name, ok := key.(glua.LString); !ok || !slices.Contains(names, string(name)) {
			o.L.ArgError(o.arg, word(key)+": no such option; want one of "+strings.Join(names, ", "))
		}
	}
}

func (o options) text(name string) string {
	v := o.of.RawGetString(name)
	if v == glua.LNil {
		return ""
	}
	if !glua.LVCanConvToString(v) {
		o.L.ArgError(o.arg, name+": string expected, got "+typeName(v))
	}
	return v.String()
}

func (o options) table(name string) *glua.LTable {
	v := o.of.RawGetString(name)
	t, ok := v.(*glua.LTable)
	if !ok && v != glua.LNil {
		o.L.ArgError(o.arg, name+": table expected, got "+typeName(v))
	}
	return t
}

func (o options) flag(name string) bool {
	v := o.of.RawGetString(name)
	if v != glua.LNil && v.Type() != glua.LTBool {
		o.L.ArgError(o.arg, name+": true or false expected, got "+typeName(v))
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
		o.L.ArgError(o.arg, name+": "+plain(err))
	}
	return d
}

func (o options) number(name string) (n glua.LNumber, given bool) {
	v := o.of.RawGetString(name)
	n, given = v.(glua.LNumber)
	if !given && v != glua.LNil {
		o.L.ArgError(o.arg, name+": number of seconds expected, got "+typeName(v))
	}
	return n, given
}
