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
	Field string // the field of Access that would allow it: "Dirs", "Dial", "Listen", "Programs"; "" if only Process does
	Why   string // details, such as the address that a name resolved to; may be empty
}

// Error says what was refused and which field allows it.
func (e *AccessError) Error() string {
	why := ""
	if e.Why != "" {
		why = " (" + e.Why + ")"
	}
	by := "only sandbox.Process"
	if e.Field != "" {
		by = "Access." + e.Field
	}
	return fmt.Sprintf("%s %s: not allowed in this sandbox%s; %s allows it", e.Op, e.What, why, by)
}

// Is makes errors.Is(err, fs.ErrPermission) true.
func (e *AccessError) Is(target error) bool { return target == fs.ErrPermission }
