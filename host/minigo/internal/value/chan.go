package value

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/minigo/internal/code"
	"github.com/selvage-dev/selvage/wait"
)

// Chan is a channel, except channels of single words.
type Chan = wait.Chan[Packed]

// Words is a channel of a type of one word and no reference: copying a value needs no write
// barrier.
type Words = wait.Chan[uint64]

// AnyChan is the interface of both.
type AnyChan interface {
	Len() int
	Cap() int
	Source() fiber.Source
	Close(dst []fiber.Wakeup) ([]fiber.Wakeup, error)
}

// NewChan makes a channel of a type that buffers up to capacity values: *Words or *Chan.
func NewChan(t *code.Type, capacity int) AnyChan {
	if t.Word() {
		return wait.NewChan[uint64](capacity)
	}
	return wait.NewChan[Packed](capacity)
}
