package sandbox

import (
	"fmt"
	"io/fs"
)

// AccessError is the error for what a guest's Access does not allow. errors.Is finds fs.ErrPermission
// in it.
type AccessError struct {
	Op    string // what was refused: "read", "write", "connect", "listen", "run", "resolve"
	What  string // a file, an address, a program, as the guest has named it
	Field string // the field of Access that would allow it: "Dirs", "Dial", "Listen", "Programs"
	Why   string // details, such as the address that a name resolved to; may be empty
}

// Error says what was refused and which field allows it.
func (e *AccessError) Error() string {
	why := ""
	if e.Why != "" {
		why = " (" + e.Why + ")"
	}
	return fmt.Sprintf("%s %s: not allowed in this sandbox%s; Access.%s allows it", e.Op, e.What, why, e.Field)
}

// Is makes errors.Is(err, fs.ErrPermission) true.
func (e *AccessError) Is(target error) bool { return target == fs.ErrPermission }
