// Package script runs interaction scripts: texts of commands with the output that each command
// is expected to give. A script is a test, a piece of documentation and a bug report at once.
//
// It owns the form of a script, the comparison with the real outputs, the rewriting of the
// expected outputs, and the form of a command table. What a command does belongs to a language:
// internal/script/schedscript drives a scheduler, internal/script/actorscript a system of actors.
//
// What it never does: read or write a file, or know a command. `selvage script`, the tests
// of the scheduler, of the actors and of the example programs use it; scripttest holds what the
// tests of both languages share.
package script
