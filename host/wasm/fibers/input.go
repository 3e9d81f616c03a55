package fibers

import (
	"errors"
	"io"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// input is the standard input of all instances of a program. A read blocks its fiber only.
type input struct {
	from   io.Reader
	io     *ioAccess
	stream *fiberio.Reader // made at the first read
}

func (in *input) open() error {
	if in.stream != nil {
		return nil
	}
	world, err := in.io.world()
	if err != nil {
		return err
	}
	in.stream = world.NewReader(in.from, "the standard input")
	return nil
}

// of returns a reader of the input for one instance.
func (in *input) of(u *user) io.Reader { return fiberReader{in, u} }

type fiberReader struct {
	*input
	user *user
}

// Read is called by the engine. A fiber that is cancelled or killed unwinds from here.
func (r fiberReader) Read(p []byte) (int, error) {
	if err := r.open(); err != nil {
		return 0, err
	}
	n, err := r.stream.Read(r.user.Fiber, p, fiber.Never)
	var stopped *stackful.Interrupt
	if errors.As(err, &stopped) {
		unwindOn(err)
	}
	return n, err
}
