//go:build !unix

package fibers

import (
	"errors"
	"os"

	"github.com/tetratelabs/wazero/experimental/sys"
)

func systemFlags(flag sys.Oflag) (host int) {
	if flag&sys.O_APPEND != 0 {
		host |= os.O_APPEND
	}
	return host
}

// setAppend has no effect: systemFlags has opened the file so, and it cannot be changed.
func setAppend(uintptr, bool) error { return nil }

func hasPeer(uintptr) bool { return true }

func noReader(error) bool { return false }

func readNow(uintptr, []byte) (int, error) { return 0, errors.ErrUnsupported }

func writeNow(uintptr, []byte) (int, error) { return 0, errors.ErrUnsupported }
