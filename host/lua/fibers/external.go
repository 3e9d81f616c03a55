package fibers

import (
	"context"
	"errors"
	"io"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/scheduler"
)

// external is the access of a Host's programs to files, processes and the network.
type external struct {
	*env
	made    *fiberio.World // made at the first use; see world
	virtual bool           // the Host has virtual time
}

// closeTimeout is how long closing a Host waits for files that are being written.
const closeTimeout = 5 * time.Second

func newExternal(e *env) *external { return &external{env: e, virtual: virtual(e.cfg.Runtime.Clock)} }

// virtual returns whether a clock is virtual.
func virtual(clock scheduler.Clock) bool {
	_, virtual := clock.(*scheduler.VirtualClock)
	return virtual || clock == nil
}

// world is the way to files and processes. In virtual time calls are executed in place: time
// stands still meanwhile, so that every run is the same if the files are the same.
func (x *external) world(L *glua.LState) *fiberio.World {
	if x.made == nil {
		world, err := fiberio.New(x.rt, fiberio.Config{Access: x.cfg.Access, IOWorkers: x.cfg.IOWorkers, Pools: x.sharedPools(L), InPlace: x.virtual, MaxBytes: x.cfg.MaxBytes, ClientTLS: x.cfg.ClientTLS, Resolver: x.cfg.Resolver, Unobserved: x.unobserved})
		x.check(L, err)
		x.made = world
	}
	return x.made
}

// sharedPools are those of all Hosts of a Shared, or nil.
func (x *external) sharedPools(L *glua.LState) *fiberio.Pools {
	if x.cfg.On == nil {
		return nil
	}
	pools, err := x.cfg.On.usedPools()
	x.check(L, err)
	return pools
}

// network is the way to connections. Virtual time has none: it would advance past every timeout
// before anything could arrive.
func (x *external) network(L *glua.LState, function string) *fiberio.World {
	if x.virtual {
		L.RaiseError("%s: there is no network in virtual time, which would be over before an answer came (Config.Runtime.Clock)", function)
	}
	return x.world(L)
}

// maxBytes is the most that one call returns.
func (x *external) maxBytes() int64 {
	if x.cfg.MaxBytes == 0 {
		return fiberio.DefaultMaxBytes
	}
	return x.cfg.MaxBytes
}

// close ends the operations that the programs have left in progress.
func (x *external) close() {
	if x.made != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		_ = x.made.Close(ctx) // an operation that does not stop in time is abandoned
	}
}

// atEnd pushes nil if the error is the end of a stream.
func atEnd(L *glua.LState, err error) bool {
	if errors.Is(err, io.EOF) {
		L.Push(glua.LNil)
		return true
	}
	return false
}
