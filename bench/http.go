package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	luafibers "github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
)

// httpRows compare the processor time of a server per request. A thousand clients each keep one
// connection open. The clients are another process; starting and connecting are not measured.
func httpRows() []row {
	return []row{
		{id: "H01", work: "HTTP echo by a Go fiber, CPU a request", peer: "net/http", goal: 1.3, atMost: true, n: 60_000,
			ours: serving(onGoFibers(nil)), theirs: serving(onNetHTTP)},
		{id: "H01", work: "HTTP echo by a Lua fiber, CPU a request", peer: "net/http", goal: 3, atMost: true, n: 60_000,
			ours: serving(onLuaFibers), theirs: serving(onNetHTTP)},
	}
}

// server serves until ctx ends, and reports its address.
type server func(ctx context.Context, where func(string)) error

func serving(s server) func(int) time.Duration {
	return func(n int) time.Duration {
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		address, ended := make(chan string, 1), make(chan error, 1)
		go func() { ended <- s(ctx, func(a string) { address <- a }) }()
		select {
		case at := <-address:
			used := invite(at).visit(n)
			stop()
			<-ended // with the error that ctx has ended
			return used
		case err := <-ended:
			panic(fmt.Sprintf("bench: no server: %v", err))
		}
	}
}

// onNetHTTP limits the time to read a header, as fiberio does.
func onNetHTTP(ctx context.Context, where func(string)) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		must(err) // net/http closes the connection, and the client ends the measurement
		mustGet(w.Write(body))
	})}
	defer context.AfterFunc(ctx, func() { _ = s.Close() })()
	where(l.Addr().String())
	return s.Serve(l)
}

func onGoFibers(r *recorder.Recorder) server {
	return func(ctx context.Context, where func(string)) error {
		cfg := stackful.Config{Config: scheduler.Config{Clock: wallclock.New()}}
		if r != nil {
			r.Configure(&cfg.Config)
		}
		rt := stackful.New(cfg)
		if r != nil {
			r.Attach(&rt.Scheduler().Core)
		}
		world := mustGet(fiberio.New(rt, fiberio.Config{Access: sandbox.Process()}))
		mustGet(rt.Go("serve", func(f *stackful.Fiber) (any, error) {
			l, err := world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
			if err != nil {
				return nil, err
			}
			where(l.Addr().String())
			return nil, world.NewServer(func(_ *stackful.Fiber, _ *http.Request, body []byte) (*fiberio.Response, error) {
				return &fiberio.Response{Status: http.StatusOK, Body: body}, nil
			}, fiberio.ServerConfig{}).Serve(f, l, fiber.Never)
		}))
		err := rt.Run(ctx)
		rt.Close()
		must(world.Close(context.Background()))
		return err
	}
}

func onLuaFibers(ctx context.Context, where func(string)) error {
	cfg := luafibers.Config{Access: sandbox.Process()}
	cfg.Runtime.Clock = wallclock.New()
	host := luafibers.New(cfg)
	defer host.Close()
	L := host.State().Base()
	L.SetGlobal("where", L.NewFunction(func(L *glua.LState) int { where(L.CheckString(1)); return 0 }))
	_, err := host.Run(ctx, strings.NewReader(`
		local s = http.serve("127.0.0.1:0", function(request) return request.body end)
		where(s:addr())
		s:wait()`), "echo")
	return err
}
