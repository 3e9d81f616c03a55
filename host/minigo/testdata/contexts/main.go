// Contexts: causes, deadlines and functions that are called at the end.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

var errCause = errors.New("the cause")

func show(ctx context.Context) { fmt.Println(ctx.Err(), context.Cause(ctx)) }

func causes() {
	ctx, cancel := context.WithCancelCause(context.Background())
	child, stop := context.WithTimeout(ctx, time.Hour)
	show(child)
	cancel(errCause)
	<-child.Done()
	show(child)
	stop()
	show(child)
	late, stop := context.WithTimeoutCause(context.Background(), time.Millisecond, errCause)
	defer stop()
	<-late.Done()
	show(late)
	past, stop := context.WithDeadlineCause(context.Background(), time.Now().Add(-time.Hour), errCause)
	defer stop()
	show(past)
	inner, stop := context.WithDeadline(late, time.Now().Add(time.Hour))
	stop()
	show(inner)
}

func afterwards() {
	ctx, cancel := context.WithCancel(context.Background())
	called := make(chan string)
	context.AfterFunc(ctx, func() { called <- "after" })
	stop := context.AfterFunc(ctx, func() { panic("stopped") })
	fmt.Println(stop(), stop())
	cancel()
	fmt.Println(<-called)
	late := context.AfterFunc(ctx, func() { called <- "at once" })
	fmt.Println(<-called, late())
}

// own is a context that the program has made itself.
type own struct {
	context.Context
	done chan struct{}
}

func (o own) Done() <-chan struct{} { return o.done }
func (o own) Err() error {
	select {
	case <-o.done:
		return errCause
	default:
		return nil
	}
}

func ownContexts() {
	o := own{context.Background(), make(chan struct{})}
	ctx, cancel := context.WithCancel(o)
	defer cancel()
	ctx = context.WithValue(ctx, "key", 1)
	close(o.done)
	<-ctx.Done()
	show(ctx)
	fmt.Println(ctx.Value("key"), ctx.Value("none"))
}

func main() {
	causes()
	afterwards()
	ownContexts()
	fmt.Println(errors.ErrUnsupported)
}
