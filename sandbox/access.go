package sandbox

import (
	"cmp"
	"crypto/rand"
	"io"
	"io/fs"
	"os"
	"time"
)

// Access is what a guest can reach. The zero Access reaches nothing: its clock starts in 1970, and its
// random numbers are the same in every run.
type Access struct {
	// Stdin is the standard input; nil is an empty one. A reader with read deadlines, such as an
	// *os.File of a pipe, can be interrupted without leaving a goroutine behind.
	Stdin io.Reader
	// Stdout and Stderr receive the output; nil discards it. Hosts that run in parallel with the
	// same writer lock it.
	Stdout, Stderr io.Writer
	// Dirs are the directories whose files the guest can use; see Dir and Tree.
	Dirs []Dir
	// WorkDir is the directory that relative names of the guest start from, as a name of the
	// guest; "" is "/".
	WorkDir string
	// Dial and Listen are the endpoints that the guest may connect to and listen on, as HOST:PORT.
	// HOST is a name, an IP address (IPv6 in brackets), a network such as 10.0.0.0/8, or * for
	// every public address; PORT is a number or *. Loopback, private, link-local and other special
	// addresses need an entry with the address, its network or the name localhost: an entry with
	// any other name does not reach them, whatever the name resolves to. A name is resolved only if an
	// entry is that name or *. In Listen, * is every address of the machine; so is a guest's address
	// without a host, which needs * or 0.0.0.0. Check finds entries without a meaning.
	Dial, Listen []string
	// Programs are the programs that the guest may run, as paths, or as names that are looked up in
	// PATH of the process. A program can do all that the process can do, and the guest chooses its
	// arguments and its environment.
	Programs []string
	// Env has the environment variables of the guest and of its programs, each as name=value.
	Env []string
	// Start is the wall-clock time when the run begins; it advances with the time of the
	// scheduler. Its location is the guest's time zone. The zero Time is 1970-01-01 in UTC. The Start
	// of Process stands for the clock of the system; see Now.
	Start time.Time
	// Random is the source of random numbers; nil is a fixed sequence. Several goroutines may read
	// from it if the host has islands or copies.
	Random io.Reader

	process bool      // see Process
	system  time.Time // the Start that stands for the clock of the system
}

// Dir gives the guest the files of one directory. No operation leaves it: a symbolic link out of it,
// or an absolute one, is refused, also one that is made while the guest runs. A hard link is a file
// of the directory, wherever its other names are. A directory with /proc in it gives the memory of the
// process. Host must not be inside of another Dir that the
// guest may change: another program of the guest could put a link in its place.
type Dir struct {
	// Host is the directory in the file system of the process.
	Host string
	// Guest is the name that the guest uses for it, with slashes; "" is the same as Host.
	Guest string
	// ReadOnly refuses to create, change, rename and remove files.
	ReadOnly bool
	// FS is what the directory has instead of Host; it is read only. Several goroutines use it.
	// Which links are followed is its own decision: those of os.Root.FS and embed.FS lead to no other
	// file of the process, those of os.DirFS may.
	FS fs.FS
}

// Process is the access that the process itself has: its standard streams, all its files by their
// names, the network without restrictions and with the proxies of the environment, all programs, the
// environment, the clock and random numbers of the system. It is for programs that are trusted as the
// process is. Its fields can be changed: Stdin, Stdout, Stderr, Env, Start and Random count; Dirs, Dial,
// Listen and Programs only restrict an Access that Process has not made.
func Process() Access {
	now := time.Now()
	return Access{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Env: os.Environ(), Start: now, Random: rand.Reader, process: true, system: now,
	}
}

// Check returns an *EntryError for an entry of Dirs, Dial or Listen that has no meaning. Hosts refuse
// one, some by a panic, so call it for entries that come from outside.
func (a Access) Check() error {
	if len(a.Dirs)+len(a.Dial)+len(a.Listen) == 0 {
		return nil
	}
	_, network := a.Network()
	_, dirs := a.Tree()
	return cmp.Or(dirs, network)
}

// Unrestricted returns whether Process has made the Access.
func (a Access) Unrestricted() bool { return a.process }
