// Package goactor makes asynchronous actors of ordinary Go functions: each is a fiber of
// package stackful that waits for its messages and acts like any other actor.
//
//	rt := stackful.New(stackful.Config{})
//	sys, err := goactor.New(rt, root, actor.Options[string]{})
//	…
//	cx.Spawn(actor.Spec[string]{Name: "fetcher", Start: goactor.Start(rt,
//		func(f *stackful.Fiber, cx *actor.Context[string]) error {
//			for {
//				url, err := goactor.Recv(f, cx)
//				…
//			}
//		})})
//
// It owns no table: package actor does. What it never does: start a goroutine of its own,
// or let one actor's function use another one's Context.
package goactor
