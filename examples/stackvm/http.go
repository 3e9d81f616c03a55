package main

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/selvage-dev/selvage/fiber"
)

// maxBody is how many bytes of an answer a program gets.
const maxBody = 1 << 20

// get is an HTTP request. It blocks a worker of the pool, and here only its fiber; in a callee
// it is the same.
func (c *code) get(url string) error {
	o, err := c.vm.Ops().Start(func(tok fiber.Token) error {
		return c.vm.pool.Submit(tok, func(ctx context.Context) (any, error) { return fetch(ctx, url) })
	})
	if err != nil {
		return err
	}
	o.Arm(fiber.Never)
	return c.await(func() error {
		body, err := o.Result()
		if err != nil {
			return err
		}
		return c.push(body)
	})
}

// fetch runs on a worker. The context ends when the fiber waits no longer.
func fetch(ctx context.Context, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return "", errors.New(url + ": " + response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	return string(body), err
}
