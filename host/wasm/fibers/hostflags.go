package fibers

import (
	"os"

	"github.com/tetratelabs/wazero/experimental/sys"
)

// hostFlags are the flags of os.OpenFile for those of the engine. O_NOFOLLOW has none.
func hostFlags(flag sys.Oflag) int {
	host := systemFlags(flag)
	switch {
	case flag&sys.O_RDWR != 0:
		host |= os.O_RDWR
	case flag&sys.O_WRONLY != 0:
		host |= os.O_WRONLY
	}
	for engine, own := range map[sys.Oflag]int{
		sys.O_CREAT: os.O_CREATE,
		sys.O_EXCL:  os.O_EXCL,
		sys.O_TRUNC: os.O_TRUNC,
		sys.O_SYNC:  os.O_SYNC,
		sys.O_DSYNC: os.O_SYNC,
		sys.O_RSYNC: os.O_SYNC,
	} {
		if flag&engine != 0 {
			host |= own
		}
	}
	return host
}
