package main

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/selvage-dev/selvage/fiber"
)

// maxBody bounds what a program reads of an answer.
const maxBody = 1 << 20

// http gets the body of a page. A worker waits for it, and only this fiber for the worker; the
// context ends when the fiber is cancelled or killed.
func (t *task) http(url string) (value, error) {
	op, err := t.vm.Ops().Start(func(tok fiber.Token) error {
		return t.vm.work.Submit(tok, func(ctx context.Context) (any, error) { return get(ctx, url) })
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

// get runs on a worker. It touches nothing of the machine.
func get(ctx context.Context, url string) (any, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", url, resp.Status)
	}
	return string(body), err
}
