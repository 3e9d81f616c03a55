package value

import "github.com/selvage-dev/selvage/wait"

// Chan is a channel.
type Chan = wait.Chan[Packed]

// NewChan makes a channel that buffers up to capacity values.
func NewChan(capacity int) *Chan { return wait.NewChan[Packed](capacity) }
