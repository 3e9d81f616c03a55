// Package island lets several schedulers work together: each belongs to one goroutine, as
// ever, and they share nothing but what this package carries between them.
//
//	Registry   the islands that know of each other, by name and by address
//	Island     one scheduler among them: any that has a loop can join (Registry.Join), and
//	           Start is a goroutine with a loop for those that have none
//	Command    what one island asks of another: spawn, wake, cancel, shut down; answered
//	           in any case
//	Port       a channel whose receivers live on one island and whose senders, each with an
//	           end of its own (Sender), live on any; both ends are cases of a select
//	Pool       workers, each a scheduler on a goroutine of its own, that move fibers to
//	           where there is nothing to do
//
// What it owns: the mailbox of each island, the rings of its ports, the requests under way.
// An island is a scheduler.Device: whatever happens to it, happens when its owner serves
// it. What it never does: touch another island's scheduler. A wake that crosses is a hint;
// the value, the command and the answer lie where the owner finds them.
package island
