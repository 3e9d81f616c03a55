// Package transcript runs interaction scripts: texts of commands with the output that each is
// expected to give. It owns their form, how they are compared and how they are written anew;
// what a command means is the World's (scheduler/script, actor/script).
//
// What it never does: read or write a file, or know a command.
package transcript
