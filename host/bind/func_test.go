package bind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"
)

type inner struct{ A int }

type recursive struct {
	Next  *recursive
	Named map[string][]recursive
}

func TestAFunctionThatCannotBeBoundIsRefusedWithTheFix(t *testing.T) {
	var none func()
	for text, fn := range map[string]any{
		"bind: want a Go function, got <nil>":                                         nil,
		"bind: want a Go function, got int":                                           5,
		"bind: want a Go function, got func()":                                        none,
		"parameter 1: chan int: cannot pass between Go and a guest; use nil, boolean": func(chan int) {},
		"parameter 2: complex128: cannot pass":                                        func(int, complex128) {},
		"parameter 1: elements: func(): cannot pass":                                  func([]func()) {},
		"parameter 1: io.Reader: no type is known to make for this interface; use any, error, or a type that is no interface": func(io.Reader) {},
		"parameter 2: context.Context: no type is known":                                                                      func(int, context.Context) {},
		"parameter 1: keys: [2]int: cannot be a key in a guest; use strings, numbers or booleans":                             func(map[[2]int]int) {},
		"parameter 1: values: chan int":        func(map[string]chan int) {},
		"result 1: field C: field D: chan int": func() (s struct{ C struct{ D chan int } }) { return },
		`two fields have the name "a" in the guest`: func(struct {
			A int
			B int `guest:"a"`
		}) {
		},
		"embedded pointer inner, whose type is not exported; embed the struct itself": func(struct{ *inner }) {},
		"result 1: values: chan int":              func() iter.Seq2[int, chan int] { return nil },
		"parameter 1: iter.Seq[int]: cannot pass": func(iter.Seq[int]) {},
	} {
		for _, made := range []func(any) (*Func, error){New, NewBlocking} {
			_, err := made(fn)
			require.ErrorAs(t, err, new(*TypeError), text)
			require.PanicsWithError(t, err.Error(), func() { Must(made(fn)) })
			if _, seq := fn.(func() iter.Seq2[int, chan int]); !seq {
				require.ErrorContains(t, err, text)
			}
		}
	}
	_, err := NewBlocking(func() iter.Seq[int] { return nil })
	require.ErrorContains(t, err, "result 1: iter.Seq[int]: an iterator runs on the goroutine that owns the host, where it must not block; return a slice, or use New")
	_, err = New(fmt.Fprint)
	require.ErrorContains(t, err, "bind: fmt.Fprint: parameter 1: io.Writer: ")
}

func TestTheSignatureOfAFunc(t *testing.T) {
	for _, row := range []struct {
		fn                        any
		name                      string
		params, results, variadic string
	}{
		{fmt.Sprint, "fmt.Sprint", "[[]interface {}]", "[string]", "true"},
		{func(context.Context) error { return nil }, "bind.TestTheSignatureOfAFunc.func1", "[]", "[]", "false"},
		{func(context.Context, recursive, any, error) (int, error) { return 0, nil }, "bind.TestTheSignatureOfAFunc.func2", "[bind.recursive interface {} error]", "[int]", "false"},
		{errors.New("").Error, "bind.TestTheSignatureOfAFunc.error.Error", "[]", "[string]", "false"},
		{func() (error, error) { return nil, nil }, "bind.TestTheSignatureOfAFunc.func3", "[]", "[error]", "false"},
	} {
		f, err := New(row.fn)
		require.NoError(t, err)
		require.False(t, f.Blocking())
		require.Equal(t, []string{row.params, row.results, row.variadic}, []string{fmt.Sprint(f.Params()), fmt.Sprint(f.Results()), fmt.Sprint(f.Variadic())})
		require.NotEmpty(t, f.Name())
	}
	require.True(t, Must(NewBlocking(fmt.Sprint)).Blocking())
	require.Equal(t, "fmt.Sprint", Must(New(fmt.Sprint)).Name())
}

func TestNamesOfFields(t *testing.T) {
	for name, want := range map[string]string{"User": "user", "UserID": "userID", "ID": "id", "URLPath": "urlPath", "A": "a", "X1": "x1", "Ärger": "ärger", "HTTP2Conn": "http2Conn"} {
		require.Equal(t, want, lowerFirst(name))
	}
}
