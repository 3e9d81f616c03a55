//go:build unix

package fibers

import (
	"syscall"

	"github.com/tetratelabs/wazero/experimental/sys"
	"golang.org/x/sys/unix"
)

// systemFlags has no O_APPEND, which SetAppend sets: package os refuses WriteAt on a file that it
// has opened with that flag, also after the flag is cleared.
func systemFlags(flag sys.Oflag) (host int) {
	if flag&sys.O_DIRECTORY != 0 {
		host |= syscall.O_DIRECTORY
	}
	if flag&sys.O_NONBLOCK != 0 {
		host |= syscall.O_NONBLOCK
	}
	return host
}

func setAppend(fd uintptr, on bool) error {
	flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
	if err != nil {
		return err
	}
	if on {
		flags |= unix.O_APPEND
	} else {
		flags &^= unix.O_APPEND
	}
	_, err = unix.FcntlInt(fd, unix.F_SETFL, flags)
	return err
}

func readNow(fd uintptr, buf []byte) (int, error) { return unix.Read(int(fd), buf) }

func writeNow(fd uintptr, buf []byte) (int, error) { return unix.Write(int(fd), buf) }
