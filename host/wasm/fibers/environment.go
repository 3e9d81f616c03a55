package fibers

import (
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/sys"

	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/stackful"
)

// environment is the Access and the arguments of one program, in the form that the engine needs.
type environment struct {
	common wazero.ModuleConfig
	host   *Host
	access sandbox.Access
	input  *input // nil: none
	mounts []mount
}

// newEnvironment opens the directories; close closes them.
func newEnvironment(a sandbox.Access, args []string, host *Host) (*environment, error) {
	mounts, err := openDirs(a.Dirs)
	if err != nil {
		return nil, err
	}
	c := wazero.NewModuleConfig().WithArgs(args...)
	for _, variable := range a.Env {
		if name, value, ok := strings.Cut(variable, "="); ok && name != "" {
			c = c.WithEnv(name, value)
		}
	}
	if a.WorkDir != "" {
		c = c.WithEnv("PWD", a.WorkDir)
	}
	a.Random = a.Entropy()
	o := &environment{common: c, host: host, access: a, mounts: mounts}
	if a.Stdin != nil {
		o.input = &input{from: a.Stdin, io: host.io}
	}
	return o, nil
}

func (o *environment) close() { closeDirs(o.mounts) }

// user is the fiber that uses an instance at the moment.
type user struct{ *stackful.Fiber }

// config connects an instance to its user: a sleep, a read of the input and an operation on a file
// of the instance block that fiber.
func (o *environment) config(u *user) wazero.ModuleConfig {
	calls := working{o.host, u}
	c := o.common.WithStdout(output{calls, o.access.Stdout}).WithStderr(output{calls, o.access.Stderr}).WithRandSource(random{calls, o.access.Random})
	if o.input != nil {
		c = c.WithStdin(o.input.of(u))
	}
	if len(o.mounts) > 0 {
		c = c.WithFSConfig(disk{o.host.io, u}.mount(o.mounts))
	}
	return c.
		WithWalltime(func() (int64, int32) {
			t := o.access.Now(time.Duration(u.Now()))
			return t.Unix(), int32(t.Nanosecond())
		}, sys.ClockResolution(time.Microsecond)).
		WithNanotime(func() int64 { return 1 + int64(u.Now()) }, sys.ClockResolution(1)). // the Go runtime takes 0 for a broken clock
		WithNanosleep(func(ns int64) { unwindOn(u.Sleep(time.Duration(ns))) }).
		WithOsyield(func() { unwindOn(u.Yield()) })
}

// unwindOn unwinds the program from inside a function of the engine, if err is not nil.
func unwindOn(err error) {
	if err != nil {
		panic(err)
	}
}
