// Package sandbox says what a guest program can reach outside of its own memory. Every host takes an
// Access in its Config, the same for each language. The zero Access reaches nothing; Process is the
// access that the process itself has.
//
//	access := sandbox.Access{
//		Stdout: os.Stdout,
//		Dirs:   []sandbox.Dir{{Host: "/srv/guest", Guest: "/data", ReadOnly: true}},
//		Dial:   []string{"api.example.com:443"},
//	}
//	host := fibers.New(fibers.Config{Access: access})
//
// What each field allows is checked where the resource is opened: files through os.Root (Tree), connections
// at the address that is dialed, after the name has been resolved (Network), programs by their place
// and name (Access.Program). A refusal is an *AccessError, and an entry without a meaning an *EntryError.
// Embedders only make an Access; the other types are for hosts.
//
// An Access is a value that hosts copy and do not change. Hosts, their islands and their copies use
// the same one. What this package never does: open a connection, start a process, or read the
// environment, except in Process and for the PATH of Access.Program.
package sandbox
