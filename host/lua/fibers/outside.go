package fibers

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/scheduler"
)

// outside is what the programs of a Host have of the world.
type outside struct {
	world     *fiberio.World // made when the first program asks
	virtual   bool           // time is
	stdin     glua.LValue    // io.stdin
	input     *file          // it as we have it
	processes []*exec.Cmd    // of popen, that nobody has waited for
}

// goodbye is how long closing a Host waits for files that are being written.
const goodbye = 5 * time.Second

func (h *Host) openOutside() {
	clock := h.cfg.Runtime.Clock
	_, virtual := clock.(*scheduler.VirtualClock)
	h.outside.virtual = virtual || clock == nil
	h.openNet()
	h.openHTTP()
	h.library("fs", map[string]glua.LGFunction{"read": h.readFile, "write": h.writeFile, "list": h.listDir, "stat": h.statFile})
	h.library("proc", map[string]glua.LGFunction{"run": h.runProcess})
	h.openIO()
	h.openExecute()
}

// library makes functions a global and a module.
func (h *Host) library(name string, functions map[string]glua.LGFunction) {
	L := h.state.Base()
	lib := functionTable(L, functions)
	L.SetGlobal(name, lib)
	L.SetField(L.GetField(L.GetGlobal("package"), "loaded"), name, lib)
}

// world is what files and processes are reached through. In virtual time calls are done in
// place: time stands still meanwhile, and every run is the same if the world is.
func (h *Host) world(L *glua.LState) *fiberio.World {
	if h.outside.world == nil {
		world, err := fiberio.New(h.rt, fiberio.Config{IOWorkers: h.cfg.IOWorkers, InPlace: h.outside.virtual, MaxBytes: h.cfg.MaxBytes, ClientTLS: h.cfg.ClientTLS})
		h.check(L, err)
		h.outside.world = world
	}
	return h.outside.world
}

// network is the world of connections, which virtual time does not have: it would jump over
// every timeout before anything could come from outside.
func (h *Host) network(L *glua.LState, call string) *fiberio.World {
	if h.outside.virtual {
		L.RaiseError("%s: there is no network in virtual time, which would be over before an answer came; run the program without --virtual", call)
	}
	return h.world(L)
}

// mostBytes is what one call gives at most.
func (h *Host) mostBytes() int64 {
	if h.cfg.MaxBytes == 0 {
		return fiberio.DefaultMaxBytes
	}
	return h.cfg.MaxBytes
}

// closeOutside ends what the programs have left under way.
func (h *Host) closeOutside() {
	if h.outside.world != nil {
		ctx, cancel := context.WithTimeout(context.Background(), goodbye)
		defer cancel()
		_ = h.outside.world.Close(ctx) // what would not stop is nobody's any more
	}
	h.bury()
}

// atEnd pushes nil if the error says that a stream is over.
func atEnd(L *glua.LState, err error) bool {
	if errors.Is(err, io.EOF) {
		L.Push(glua.LNil)
		return true
	}
	return false
}
