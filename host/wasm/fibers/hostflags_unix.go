//go:build unix

package fibers

import (
	"errors"
	"syscall"

	"github.com/tetratelabs/wazero/experimental/sys"
	"golang.org/x/sys/unix"
)

// systemFlags has no O_APPEND, which SetAppend sets: package os refuses WriteAt on a file that it
// has opened with that flag, also after the flag is cleared. O_NONBLOCK is always set: else to open
// a named pipe would hold a worker until its other end is opened. It has no effect on a regular file.
func systemFlags(flag sys.Oflag) (host int) {
	host = syscall.O_NONBLOCK
	if flag&sys.O_DIRECTORY != 0 {
		host |= syscall.O_DIRECTORY
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

// hasPeer returns whether a named pipe that is open for reading has, or had, a writer. Before, a
// read would be the end of the file.
func hasPeer(fd uintptr) bool {
	polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(polled, 0)
	return n > 0 || err != nil && err != unix.EINTR
}

// noReader is the error of opening a named pipe for writing that no one reads.
func noReader(err error) bool { return errors.Is(err, unix.ENXIO) }

func readNow(fd uintptr, buf []byte) (int, error) { return unix.Read(int(fd), buf) }

func writeNow(fd uintptr, buf []byte) (int, error) { return unix.Write(int(fd), buf) }
