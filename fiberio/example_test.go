package fiberio_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
)

// inWorld runs one fiber with a World.
func inWorld(body func(f *stackful.Fiber, world *fiberio.World) error) {
	rt := stackful.New(stackful.Config{Config: scheduler.Config{Clock: wallclock.New()}})
	world, err := fiberio.New(rt, fiberio.Config{Access: sandbox.Process()})
	if err != nil {
		panic(err)
	}
	_, _ = rt.Go("main", func(f *stackful.Fiber) (any, error) { return nil, body(f, world) })
	err = rt.Run(context.Background())
	rt.Close()
	if err := errors.Join(err, world.Close(context.Background())); err != nil {
		panic(err)
	}
}

func ExampleWorld() {
	inWorld(func(f *stackful.Fiber, world *fiberio.World) error {
		_, err := world.ReadFile(f, "no/such/file", fiber.Never)
		fmt.Println(errors.Is(err, fs.ErrNotExist))

		exit, err := world.Run(f, fiberio.Command{Path: "echo", Args: []string{"hello"}}, f.Within(time.Minute))
		if err != nil {
			return err
		}
		fmt.Printf("%s%d\n", exit.Stdout, exit.Code)
		return nil
	})
	// Output:
	// true
	// hello
	// 0
}

// Two fibers talk over a connection.
func ExampleConn() {
	inWorld(func(f *stackful.Fiber, world *fiberio.World) error {
		l, err := world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		if err != nil {
			return err
		}
		_, _ = f.Runtime().Go("client", func(f *stackful.Fiber) (any, error) {
			c, err := world.Dial(f, "tcp", l.Addr().String(), f.Within(time.Minute))
			if err != nil {
				return nil, err
			}
			_, err = c.WriteString(f, "hello", fiber.Never)
			return nil, errors.Join(err, c.Close())
		})
		c, err := l.Accept(f, fiber.Never)
		if err != nil {
			return err
		}
		buf := make([]byte, 100)
		n, err := c.Read(f, buf, fiber.Never)
		fmt.Println(string(buf[:n]))
		return errors.Join(err, c.Close(), l.Close())
	})
	// Output: hello
}

// The handler of each request is a fiber: it may sleep or wait for other fibers, and is cancelled
// when its client disconnects.
func ExampleServer() {
	inWorld(func(f *stackful.Fiber, world *fiberio.World) error {
		l, err := world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		if err != nil {
			return err
		}
		server := world.NewServer(func(f *stackful.Fiber, r *http.Request, _ []byte) (*fiberio.Response, error) {
			return &fiberio.Response{Status: http.StatusOK, Body: []byte("you asked for " + r.URL.Path)}, f.Sleep(time.Microsecond)
		}, fiberio.ServerConfig{MaxBody: 1 << 20})
		serving, _ := f.Runtime().Go("serving", func(f *stackful.Fiber) (any, error) { return nil, server.Serve(f, l, fiber.Never) })

		r, err := http.NewRequest(http.MethodGet, "http://"+l.Addr().String()+"/this", nil)
		if err != nil {
			return err
		}
		answer, err := world.Fetch(f, r, f.Within(time.Minute))
		if err != nil {
			return err
		}
		fmt.Println(answer.Status, string(answer.Body))
		if err := server.Shutdown(f, f.Within(time.Minute)); err != nil {
			return err
		}
		_, err = f.Join(serving)
		return err
	})
	// Output: 200 you asked for /this
}

// Each Write sends a part of the response at once; the client reads it as it arrives.
func ExampleStream() {
	inWorld(func(f *stackful.Fiber, world *fiberio.World) error {
		l, err := world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		if err != nil {
			return err
		}
		server := world.NewStreamServer(func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
			for n := range 3 {
				if _, err := x.Write(f, fmt.Appendf(nil, "piece %d\n", n), f.Within(time.Minute)); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}, fiberio.ServerConfig{})
		serving, _ := f.Runtime().Go("serving", func(f *stackful.Fiber) (any, error) { return nil, server.Serve(f, l, fiber.Never) })

		r, err := http.NewRequest(http.MethodGet, "http://"+l.Addr().String(), nil)
		if err != nil {
			return err
		}
		answer, err := world.Request(f, r, f.Within(time.Minute))
		if err != nil {
			return err
		}
		defer answer.Body.Close(f)
		buf := make([]byte, 100)
		for err == nil {
			var n int
			n, err = answer.Body.Read(f, buf, f.Within(time.Minute))
			fmt.Print(string(buf[:n]))
		}
		if err != io.EOF {
			return err
		}
		server.Close()
		_, err = f.Join(serving)
		return err
	})
	// Output:
	// piece 0
	// piece 1
	// piece 2
}
