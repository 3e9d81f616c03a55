package stackful_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// A queue of its own making: who takes waits until something is there.
func ExampleFiber_Wait() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	lock, queue := wait.NewMutex(wait.Poison), []string{}
	filled := wait.NewCond(lock)
	rt.Go("taker", func(f *stackful.Fiber) (any, error) {
		if err := f.Lock(lock); err != nil {
			return nil, err
		}
		defer f.Unlock(lock)
		for len(queue) == 0 {
			if err := f.Wait(filled); err != nil {
				return nil, err
			}
		}
		fmt.Println(f.Now(), queue)
		return nil, nil
	})
	rt.Go("giver", func(f *stackful.Fiber) (any, error) {
		if err := errors.Join(f.Sleep(time.Second), f.Lock(lock)); err != nil {
			return nil, err
		}
		queue = append(queue, "item")
		return nil, errors.Join(f.Signal(filled), f.Unlock(lock))
	})
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// 1s [item]
	// <nil>
}

// A Locker may be a lock for one, or the writing side of one for many.
func ExampleLocker() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	alone, shared := wait.NewMutex(wait.Poison), wait.NewRWMutex(wait.Poison)
	rt.Go("reader", func(f *stackful.Fiber) (any, error) {
		return nil, errors.Join(f.RLock(shared), f.Sleep(time.Second), f.RUnlock(shared))
	})
	rt.Go("owner", func(f *stackful.Fiber) (any, error) {
		for _, m := range []stackful.Locker{alone, shared} {
			err := f.Lock(m)
			fmt.Println(f.Now(), m.Source().(fiber.Described).Describe(), err)
			if err := f.Unlock(m); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// 0s mutex (owner f1.1, waiting: 0) <nil>
	// 1s rwmutex (writer f1.1, waiting: 0) <nil>
	// <nil>
}

// At most two of five at a time.
func ExampleFiber_Acquire() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	slots := wait.NewSemaphore(2)
	for n := range 5 {
		rt.Go("", func(f *stackful.Fiber) (any, error) {
			if err := f.Acquire(slots, 1); err != nil {
				return nil, err
			}
			fmt.Println(f.Now(), "job", n)
			return nil, f.Sleep(time.Second) // the permit of a fiber that ends goes back
		})
	}
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// 0s job 0
	// 0s job 1
	// 1s job 2
	// 1s job 3
	// 2s job 4
	// <nil>
}

// Two want the settings; one loads them.
func ExampleFiber_Do() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	var loaded wait.Once
	settings := ""
	for _, name := range []string{"server", "client"} {
		rt.Go(name, func(f *stackful.Fiber) (any, error) {
			err := f.Do(&loaded, func() error {
				fmt.Println(name, "loads")
				settings = "port 80"
				return f.Sleep(time.Second)
			})
			fmt.Println(f.Now(), name, settings)
			return nil, err
		})
	}
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// server loads
	// 1s server port 80
	// 1s client port 80
	// <nil>
}

// The fastest answer wins, and the others are called off.
func ExampleGroup() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	rt.Go("client", func(f *stackful.Fiber) (any, error) {
		var mirrors stackful.Group
		for name, delay := range []time.Duration{3, 1, 2} {
			mirrors.Go(f, fmt.Sprint("mirror ", name), func(f *stackful.Fiber) (any, error) {
				if delay == 1 {
					return nil, errors.New("no route to host")
				}
				return "index.html", f.Sleep(delay * time.Second)
			})
		}
		first, err := mirrors.Wait(f, wait.Any)
		fmt.Println(f.Now(), first.Name(), err)

		mirrors.Cancel(f, errors.New("too late"))
		_, err = mirrors.Wait(f, wait.All)
		fmt.Println(f.Now(), err)
		return nil, nil
	})
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// 2s mirror 2 <nil>
	// 2s fiber mirror 0: cancelled: too late
	// <nil>
}
