package fibers

import (
	"io"

	"github.com/selvage-dev/selvage/quota"
)

// working charges the work of host functions to the fiber that calls them. A fiber that is cancelled, is
// killed or passes a quota unwinds from there.
type working struct {
	host *Host
	user *user
}

// bytesAtOnce is how many bytes are treated between two polls: 64 units.
const bytesAtOnce = 1 << 14

// bytes charges the treatment of n bytes.
func (w working) bytes(n int) {
	unwindOn(w.host.rt.Caller(w.user.Fiber).Work(workOf(n)))
}

// workOf is the work with n bytes, in steps.
func workOf(n int) int64 { return (int64(n) + 255) / 256 }

// output is the standard output, or the standard error, of the instance of a fiber.
type output struct {
	working
	to io.Writer // nil discards
}

// Write writes as much as the quota allows.
func (o output) Write(p []byte) (written int, err error) {
	for written < len(p) && err == nil {
		part := p[written:min(len(p), written+bytesAtOnce)]
		o.bytes(len(part))
		part = part[:o.take(len(part))]
		n := len(part)
		if o.to != nil {
			n, err = o.to.Write(part)
		}
		written += n
	}
	return written, err
}

// take returns how many of n bytes the quota allows. If it allows none, the fiber unwinds.
func (o output) take(n int) int {
	group := o.host.rt.Fibers().Scheduler().Inspect().Group(o.user.ID()) // of a call, if it has quotas of its own
	if group == nil || group == o.host.fibers && o.host.group == nil {
		return n
	}
	if left := group.Account().Left(quota.Output); left > 0 {
		n = int(min(int64(n), left))
	}
	if err := group.Take(quota.Output, int64(n)); err != nil {
		unwindOn(o.user.Checkpoint())
	}
	return n
}

// random is the source of random numbers of the instance of a fiber.
type random struct {
	working
	from io.Reader
}

// Read fills p.
func (r random) Read(p []byte) (read int, err error) {
	r.host.touch(r.host.env) // the next number depends on how many were drawn
	for read < len(p) && err == nil {
		part := p[read:min(len(p), read+bytesAtOnce)]
		r.bytes(len(part))
		var n int
		n, err = io.ReadFull(r.from, part)
		read += n
	}
	return read, err
}
