package stackful_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/scope"
	"github.com/selvage-dev/selvage/stackful"
)

// Three fetches at once; the one that fails has the others cancelled, and nothing goes on
// without the caller's knowledge.
func ExampleScope() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	rt.Go("main", func(f *stackful.Fiber) (any, error) {
		_, err := f.Scope(scope.Options{Name: "fetch"}, func(f *stackful.Fiber, s *stackful.Scope) (any, error) {
			for i, page := range []string{"/a", "/b", "/c"} {
				s.Go(f, page, func(f *stackful.Fiber) (any, error) {
					if err := f.Sleep(time.Duration(i+1) * time.Second); err != nil {
						fmt.Println(page, "was cancelled")
						return nil, err
					}
					fmt.Println(page, "is there")
					if page == "/b" {
						return nil, errors.New("and is empty")
					}
					return nil, nil
				})
			}
			return nil, nil
		})
		fmt.Println(err)
		fmt.Println("after", f.Now())
		return nil, nil
	})
	rt.Run(context.Background())
	// Output:
	// /a is there
	// /b is there
	// /c was cancelled
	// scope "fetch": fiber f3.1 "/b" failed: and is empty
	// after 2s
}
