package fiberio

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
)

// LookupHost returns the addresses of a host that Config.Access may reach. The error is a *net.DNSError
// or a *sandbox.AccessError.
func (w *World) LookupHost(f *stackful.Fiber, host string, deadline fiber.Time) ([]string, error) {
	if err := w.network.Resolve(host); err != nil {
		return nil, err
	}
	v, err := w.wait(f, doing{"look up", host}, deadline, func(ctx context.Context) (any, error) { return w.resolver.LookupHost(ctx, host) }, nil)
	addresses, _ := v.([]string)
	return addresses, err
}
