package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/selvage-dev/selvage/sandbox"
)

// accessFlags say what a program reaches.
type accessFlags struct {
	Sandbox    bool     `group:"Sandbox:" help:"The program reaches nothing but its input and outputs, the time, random numbers, and what the flags below allow. Without any of these flags it reaches what you do."`
	AllowRead  []string `group:"Sandbox:" help:"The program may read the files in this directory. May be given again, and implies --sandbox, as the other --allow flags do." placeholder:"DIR" sep:"none"`
	AllowWrite []string `group:"Sandbox:" help:"The program may read, make, change and remove the files in this directory." placeholder:"DIR" sep:"none"`
	AllowNet   []string `group:"Sandbox:" help:"The program may connect to HOST:PORT, and listen there. HOST is a name, an address, a network such as 10.0.0.0/8, or * for all public addresses; PORT is a number or *." placeholder:"HOST:PORT" sep:"none"`
	AllowRun   []string `group:"Sandbox:" help:"The program may run this one, which can do all that you can." placeholder:"PROGRAM" sep:"none"`
	AllowEnv   []string `group:"Sandbox:" help:"The program has this variable of the environment." placeholder:"NAME" sep:"none"`
	Dir        []string `group:"Sandbox:" help:"A directory that a WebAssembly program may use, as HOST, HOST:GUEST or HOST:GUEST:ro (read only). May be given again." placeholder:"DIR" sep:"none"`
}

func (f *accessFlags) sandboxed() bool {
	return f.Sandbox || len(f.AllowRead)+len(f.AllowWrite)+len(f.AllowNet)+len(f.AllowRun)+len(f.AllowEnv) > 0
}

// check refuses the flags that a language has no use for.
func (f *accessFlags) check(language string) error {
	switch {
	case len(f.Dir) > 0 && language == ".go", len(f.AllowRead)+len(f.AllowWrite) > 0 && language == ".go":
		return errors.New("--dir, --allow-read, --allow-write: Go programs have no files here; leave them out")
	case len(f.Dir) > 0 && language != ".wasm":
		return errors.New("--dir: it is for WebAssembly programs; for a Lua program give --allow-read DIR or --allow-write DIR")
	case len(f.AllowNet)+len(f.AllowRun) > 0 && (language == ".go" || language == ".wasm"):
		return errors.New("--allow-net, --allow-run: only Lua programs have sockets and run programs; leave them out")
	}
	return nil
}

// access is what the flags allow, without the streams, the clock and the random numbers.
func (f *accessFlags) access() (a sandbox.Access, err error) {
	if f.sandboxed() {
		a, err = f.allowed()
	} else {
		a = sandbox.Process()
	}
	if err == nil {
		err = f.mapped(&a)
	}
	if err == nil {
		restricted := a.Check()
		dirs := sandbox.Access{WorkDir: a.WorkDir, Dirs: a.Dirs}.Check() // those of --dir count without a sandbox too
		err = entryOfFlag(cmp.Or(restricted, dirs))
	}
	return a, err
}

// entryOfFlag names the flag of an entry that has no meaning.
func entryOfFlag(err error) error {
	var entry *sandbox.EntryError
	switch {
	case !errors.As(err, &entry):
		return err
	case entry.Field == "Dirs":
		return fmt.Errorf("--dir, --allow-read, --allow-write: %q: %s", entry.Entry, entry.Why)
	}
	return fmt.Errorf("--allow-net %q: %s", entry.Entry, entry.Why)
}

func (f *accessFlags) allowed() (a sandbox.Access, err error) {
	for _, name := range f.AllowEnv {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return a, fmt.Errorf("--allow-env %q: want the name of a variable; its value is the one that selvage has", name)
		}
		if value, set := os.LookupEnv(name); set {
			a.Env = append(a.Env, name+"="+value)
		}
	}
	for _, program := range f.AllowRun {
		if _, err := exec.LookPath(program); err != nil {
			return a, fmt.Errorf("--allow-run %q: want a program, as a path or as a name in PATH: %w", program, err)
		}
	}
	a.Programs, a.Dial, a.Listen = f.AllowRun, f.AllowNet, f.AllowNet
	return a, f.inPlace(&a)
}
