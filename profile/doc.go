// Package profile tells where the programs of a host spend their CPU time: by function and line of the
// program, with the calls that led there, in the format that go tool pprof reads.
//
//	p := profile.Start(profile.Config{})
//	host := fibers.New(fibers.Config{Lua: lua.Config{Profile: p}})
//	… runs …
//	p.Stop()
//	err := p.Write(file)
//
// A Profile owns the table of sampled stacks, whose size is bounded, and a goroutine that measures time
// until Stop. An engine has a Sampler for each scheduler. It says when fibers of that scheduler execute,
// asks at its own points whether a sample is due, and takes the stack there, on the goroutine that
// executes the program.
//
// What it never does: read the stack of a program from another goroutine, count time in which no fiber
// executes, or write to anything but the Writer it is given.
package profile
