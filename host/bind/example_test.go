package bind_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/lua/fibers"
)

// run runs a Lua program with one Go function.
func run(name string, function *bind.Func, program string) error {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	if err := host.Bind(name, function); err != nil {
		return err
	}
	results, err := host.Run(context.Background(), strings.NewReader(program), "example.lua")
	for _, v := range results {
		fmt.Println(v)
	}
	return err
}

type order struct {
	Item  string
	Count uint8
	Notes []string `guest:",omitempty"`
}

func ExampleNew() {
	price := bind.Must(bind.New(func(o order) (cents int, err error) {
		if o.Count == 0 {
			return 0, errors.New("an order of nothing")
		}
		return 100 * int(o.Count) * len(o.Item), nil
	}))
	fmt.Println(run("shop.price", price, `return shop.price{item = "tea", count = 2}`))
	fmt.Println(run("shop.price", price, `return shop.price{item = "tea", count = 256}`))
	fmt.Println(run("shop.price", price, `local ok, e = pcall(shop.price, {}) return tostring(e)`))
	// Output:
	// 600
	// <nil>
	// example.lua:1: shop.price: argument 1.count: want a whole number from 0 to 255, got the number 256
	// an order of nothing
	// <nil>
}

// A result of type iter.Seq is an iterator of the guest.
func ExampleNew_iterator() {
	upTo := bind.Must(bind.New(func(n int) iter.Seq[int] {
		return func(yield func(int) bool) {
			for i := range n {
				if !yield(i) {
					return
				}
			}
		}
	}))
	_ = run("up_to", upTo, `local sum = 0 for i in up_to(5) do sum = sum + i end return sum`)
	// Output: 10
}

// The fiber waits for the function, and its context ends with the fiber.
func ExampleNewBlocking() {
	read := bind.Must(bind.NewBlocking(func(ctx context.Context, name string) ([]byte, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return os.ReadFile(name)
	}))
	err := run("read", read, `return read("/no/such/file")`)
	fmt.Println(errors.Is(err, fs.ErrNotExist), err)
	// Output: true open /no/such/file: no such file or directory
}

// A Func is checked when it is made, and says what cannot be bound.
func ExampleTypeError() {
	_, err := bind.New(func(done chan bool) {})
	if wrong, ok := errors.AsType[*bind.TypeError](err); ok {
		fmt.Println(wrong.Place, wrong.Type)
	}
	// Output: parameter 1 chan bool
}

func ExampleMust() {
	defer func() { fmt.Println(recover()) }()
	bind.Must(bind.New(5))
	// Output: bind: want a Go function, got int
}

// The host finds the panic of a Go function; the guest only sees that it failed.
func ExamplePanicError() {
	first := bind.Must(bind.New(func(list []int) int { return list[0] }))
	err := run("first", first, `first{}`)
	if broken, ok := errors.AsType[*bind.PanicError](err); ok {
		fmt.Println(broken.Function, "|", broken.Value)
	}
	_ = run("first", first, `local _, e = pcall(first, {}) return tostring(e)`)
	// Output:
	// first | runtime error: index out of range [0] with length 0
	// first: a Go function failed
}

func ExampleCall() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	ctx := context.Background()
	program := `function double(o) o.count = 2 * o.count return o end`
	if _, err := host.Run(ctx, strings.NewReader(program), "orders.lua"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bind.Call[order](ctx, host, "double", order{Item: "tea", Count: 2}))
	_, err := bind.Call[order](ctx, host, "double", order{Item: "tea", Count: 200})
	fmt.Println(err)
	// Output:
	// {tea 4 []} <nil>
	// bind: result 1.count: want a whole number from 0 to 255, got the number 400
}

func ExampleResult() {
	host := fibers.New(fibers.Config{})
	defer host.Close()
	ctx, stop := context.WithCancel(context.Background())
	if _, err := host.Run(ctx, strings.NewReader(`function twice(s) return s .. s end`), "twice.lua"); err != nil {
		fmt.Println(err)
	}
	call, err := host.Start("twice", "ab")
	if err != nil {
		fmt.Println(err)
	}
	go func() {
		<-call.Done()
		stop()
	}()
	_ = host.Serve(ctx)
	fmt.Println(bind.Result[string](context.Background(), call))
	// Output: abab <nil>
}
