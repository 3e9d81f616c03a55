// Package lua holds example programs in Lua for selvage run, one idea each, and checks
// that they do what they say.
//
// Each NAME.lua tells in its first lines how it is run. NAME.out is what it prints, and
// NAME.err, where there is one, its exit status and what it writes to stderr. The tests
// run every program as a user would, by the selvage command, and again with other time
// slices, another seed and, where the program does not need --virtual, in virtual time:
// the output must stay the same. Programs that need real time (they say so) are refused in
// virtual time. go test ./examples/lua -rewrite writes the outputs anew.
//
// The tests also run every program in README.md and docs/lua.md.
//
// What it never does: export anything, or hold a program whose output depends on luck.
package lua
