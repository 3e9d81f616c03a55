package main

import (
	"context"

	"github.com/selvage-dev/selvage/examples/internal/command"
	"github.com/selvage-dev/selvage/fiber"
)

// http gets the body of a page. A worker waits for it, and only this fiber for the worker; the
// context ends when the fiber is cancelled or killed.
func (t *task) http(url string) (value, error) {
	op, err := t.vm.Ops().Start(func(tok fiber.Token) error {
		return t.vm.work.Submit(tok, func(ctx context.Context) (any, error) { return command.Page(ctx, url) })
	})
	if err != nil {
		return nil, err // too many operations
	}
	op.Arm(fiber.Never)
	if _, err := t.wait(); err != nil {
		return nil, err
	}
	return op.Result()
}
