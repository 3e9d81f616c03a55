package minigo_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/quota"
)

const counter = `package main

import (
	"errors"
	"time"
)

type Visit struct {
	User string
	Cost int
}

var used = map[string]int{}

func Allow(v Visit) (int, error) {
	time.Sleep(time.Second)
	if used[v.User]+v.Cost > 5 {
		return 0, errors.New("no budget for " + v.User)
	}
	used[v.User] += v.Cost
	return used[v.User], nil
}

func Used(user string) int { return used[user] }

func Spin() { for { } }

func main() { }
`

func counterHost(cfg minigo.Config) *minigo.Host {
	program, err := minigo.Compile(minigo.File{Name: "counter.go", Text: []byte(counter)})
	if err != nil {
		panic(err)
	}
	host, err := minigo.New(program, cfg)
	if err != nil {
		panic(err)
	}
	return host
}

func ExampleHost_Call() {
	host := counterHost(minigo.Config{})
	defer host.Close()
	visit := map[string]any{"user": "ada", "cost": 3}
	for range 2 {
		fmt.Println(host.Call(context.Background(), "Allow", visit))
	}
	// Output:
	// [3 <nil>] <nil>
	// [0 no budget for ada] <nil>
}

func ExampleHost_CallInto() {
	host := counterHost(minigo.Config{})
	defer host.Close()
	var used int
	var refused error
	err := host.CallInto(context.Background(), []any{&used, &refused}, "Allow", struct {
		User string
		Cost int
	}{"ada", 3})
	fmt.Println(used, refused, err)
	used, err = bind.Call[int](context.Background(), host, "Used", "ada")
	fmt.Println(used, err)
	// Output:
	// 3 <nil> <nil>
	// 3 <nil>
}

func ExampleHost_Start() {
	host := counterHost(minigo.Config{})
	defer host.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	served := make(chan error)
	go func() { served <- host.Serve(ctx) }()
	call, err := host.Start("Allow", map[string]any{"user": "ada", "cost": 9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(call.Result(ctx))
	stop()
	fmt.Println(<-served)
	// Output:
	// [0 no budget for ada] <nil>
	// context canceled
}

func ExampleHost_Serve() {
	host := counterHost(minigo.Config{Quota: quota.Limits{Steps: 1000}})
	defer host.Close()
	if _, err := host.Start("Spin"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(host.Serve(context.Background()))
	// Output: the quota is used up: steps, limit 1000
}

func ExampleHost_Spent() {
	host := counterHost(minigo.Config{Quota: quota.Limits{Steps: 1000}})
	defer host.Close()
	_, err := host.Call(context.Background(), "Spin")
	var passed *quota.Error
	fmt.Println(errors.As(err, &passed), host.Spent().Steps)
	// Output: true 1000
}

func ExampleHost_Close() {
	host := counterHost(minigo.Config{})
	for range 3 {
		if _, err := host.Call(context.Background(), "Used", "ada"); err != nil {
			fmt.Println(err)
		}
	}
	host.Close() // frees the machine code that the calls share
	fmt.Println("closed")
	// Output: closed
}

func ExampleGuestError() {
	host := counterHost(minigo.Config{})
	defer host.Close()
	results, _ := host.Call(context.Background(), "Allow", map[string]any{"user": "ada", "cost": 9})
	refused, _ := results[1].(error)
	var guest *minigo.GuestError
	fmt.Println(errors.As(refused, &guest), guest.Text)
	// Output: true no budget for ada
}

func ExampleGuestError_Error() {
	fmt.Println(&minigo.GuestError{Text: "no budget for ada"})
	// Output: no budget for ada
}

func ExampleCompileUpTo() {
	_, err := minigo.CompileUpTo(100, minigo.File{Name: "counter.go", Text: []byte(counter)})
	fmt.Println(err)
	// Output: minigo: the source has 406 bytes, the limit is 100
}

func ExampleSourceSizeError() {
	_, err := minigo.CompileUpTo(100, minigo.File{Name: "counter.go", Text: []byte(counter)})
	var large *minigo.SourceSizeError
	fmt.Println(errors.As(err, &large), large.Limit)
	// Output: true 100
}

func ExampleSourceSizeError_Error() {
	fmt.Println(&minigo.SourceSizeError{Size: 300, Limit: 200})
	// Output: minigo: the source has 300 bytes, the limit is 200
}
