package sandbox

import (
	"os/exec"
	"path/filepath"
)

// Program returns the file of a program that the guest may run. A name without a slash is looked up in
// PATH of the process. Two names are the same program if their directories are the same one and their
// last parts are equal: a link with another name is another program, because programs such as busybox do
// what their name says. The result is the name from Programs, so that no link that the guest changes
// meanwhile leads to another program. Errors: *AccessError, and *exec.Error for a program that is
// allowed and does not exist.
func (a Access) Program(name string) (string, error) {
	if a.process {
		return exec.LookPath(name)
	}
	asked, _ := programFile(name) // if there is none, it may still be the text of an entry
	for _, entry := range a.Programs {
		file, err := programFile(entry)
		if err != nil && entry == name {
			return "", err
		}
		if err == nil && sameProgram(asked, file) {
			return file, nil
		}
	}
	return "", &AccessError{Op: "run", What: name, Field: "Programs"}
}

// programFile is the absolute path of a program.
func programFile(name string) (string, error) {
	found, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(found)
}

func sameProgram(a, b string) bool {
	if a == "" || filepath.Base(a) != filepath.Base(b) {
		return false
	}
	dirA, errA := filepath.EvalSymlinks(filepath.Dir(a))
	dirB, errB := filepath.EvalSymlinks(filepath.Dir(b))
	return errA == nil && errB == nil && dirA == dirB
}
