package fiberio

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
)

// LookupHost returns the addresses of a host. The error is a *net.DNSError.
func (w *World) LookupHost(f *stackful.Fiber, host string, deadline fiber.Time) ([]string, error) {
	v, err := w.wait(f, deadline, func(ctx context.Context) (any, error) { return w.resolver.LookupHost(ctx, host) }, nil)
	addresses, _ := v.([]string)
	return addresses, err
}
