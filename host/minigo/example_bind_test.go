package minigo_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/selvage-dev/selvage/host/bind"
	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
)

// item is a type of Go that programs know as store.Item.
type item struct {
	Name  string
	Price float64
}

// library has a function that finds items.
func library() *minigo.Library {
	var l minigo.Library
	find := func(name string) (item, error) {
		if name != "ink" {
			return item{}, fmt.Errorf("no %s: %w", name, os.ErrNotExist)
		}
		return item{name, 2.5}, nil
	}
	if err := l.Bind("host/store.Find", bind.Must(bind.New(find))); err != nil {
		panic(err)
	}
	return &l
}

const shop = `package main

import (
	"fmt"
	"host/store"
)

func Price(name string) (float64, error) {
	item, err := store.Find(name)
	if err != nil {
		return 0, fmt.Errorf("price: %w", err)
	}
	return item.Price, nil
}

func main() {
	fmt.Println(store.Find("ink"))
	fmt.Println(Price("paper"))
}
`

func ExampleLibrary() {
	program, err := library().Compile(minigo.File{Name: "shop.go", Text: []byte(shop)})
	if err != nil {
		fmt.Println(err)
		return
	}
	host, err := minigo.New(program, minigo.Config{Access: sandbox.Access{Stdout: os.Stdout}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(context.Background()))
	// Output:
	// {ink 2.5} <nil>
	// 0 price: no paper: file does not exist
	// <nil>
}

func ExampleLibrary_Bind() {
	var l minigo.Library
	fmt.Println(l.Bind("text.Upper", bind.Must(bind.New(strings.ToUpper))))
	fmt.Println(l.Bind("text.upper", bind.Must(bind.New(strings.ToUpper))))
	// Output:
	// <nil>
	// bind: name "text.upper": want the path of a package and an exported function, such as "host/store.Get"
}

func ExampleLibrary_Compile() {
	_, err := library().Compile(minigo.File{Name: "shop.go", Text: []byte(`package main

import "host/store"

func main() { store.Find(5) }
`)})
	fmt.Println(err)
	// Output:
	// shop.go:5:26: cannot use 5 (untyped int constant) as string value in argument to store.Find
	// 	store.Find is func(string) (minigo_test.item, error) of the host
}

func ExampleLibrary_CompileUpTo() {
	_, err := library().CompileUpTo(100, minigo.File{Name: "shop.go", Text: []byte(shop)})
	fmt.Println(err)
	// Output:
	// minigo: the source has 286 bytes, the limit is 100
}

func ExampleHost_Bind() {
	program, err := library().Compile(minigo.File{Name: "shop.go", Text: []byte(shop)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, price := range []float64{1, 2} {
		host, err := minigo.New(program, minigo.Config{})
		if err != nil {
			fmt.Println(err)
			return
		}
		find := func(name string) (item, error) { return item{name, price}, nil } // for this Host
		if err := host.Bind("host/store.Find", bind.Must(bind.New(find))); err != nil {
			fmt.Println(err)
		}
		fmt.Println(host.Call(context.Background(), "Price", "paper"))
		host.Close()
	}
	// Output:
	// [1 <nil>] <nil>
	// [2 <nil>] <nil>
}

func ExampleGuestError_Unwrap() {
	program, err := library().Compile(minigo.File{Name: "shop.go", Text: []byte(shop)})
	if err != nil {
		fmt.Println(err)
		return
	}
	host, err := minigo.New(program, minigo.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	var price float64
	var failed error
	err = host.CallInto(context.Background(), []any{&price, &failed}, "Price", "paper")
	fmt.Println(err, failed, errors.Is(failed, os.ErrNotExist))
	// Output:
	// <nil> price: no paper: file does not exist true
}
