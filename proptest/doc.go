// Package proptest holds the real scheduler against its formal twin, package spec:
// the same actions on both, and after each the same answer and the same state.
//
// A Rig drives a scheduler with the actions of the model. It has no way into the
// scheduler but the exported one, and a refinement map: which real fiber, ticket,
// token and call each name of the model stands for. A Lockstep is a Rig with the model
// beside it.
//
// # The tables it owns
//
//   - calls (driver.go): what each action of the model is on the real scheduler.
//   - ways (ways.go): the other calls that do the same action: the cheap forms, the outcome
//     of a slice, the inbox. merges (merge.go): the calls that arm and block at once.
//   - shortcuts (shortcuts_test.go): the calls that stand for several actions at once, each
//     tried in every state of small graphs.
//   - Refusals (refusals.go): how each action that the model does not allow is refused,
//     by rule, error or verdict; and which of them are no call at all, and why.
//
// # What the tests do with it
//
//   - edges: every edge of the twin's graph, at several small bounds: its path is
//     replayed, the action done, answer and whole state compared.
//   - refusals: every action that is not enabled, in every state of smaller bounds: it
//     is refused as the table says and changes nothing.
//   - tours: every edge of the twins of channels, selects, the mutex, moves and panics on the real ones,
//     each from new objects, and in every state everything that it does not enable.
//   - walks: random ones far beyond those bounds, from rapid, from gopter and from a
//     plain seed. A failure shows the shortest list of actions that still fails. Between
//     the steps of the last a Forger tries tickets, fibers and operations that are spent
//     or were never given out. With -long there are a billion (-steps, and -from to go
//     on where a run was cut short). A failure is written out as an interaction script,
//     which `selvage script` runs (-script FILE), and as a process in Promela that Spin
//     replays (-trail FILE).
//   - plays: the waiting objects, panics, groups, timers, the operations of a queue and the pool of
//     native calls, each beside a model as dumb as can be: every edge of its graph, and
//     longer runs by rapid and by gopter, which share the machine and nothing else.
//   - mutants: broken drivers and the broken models of package spec. Each must be found,
//     or the silence of the others means nothing. Broken sources are in package bugs.
//
// # What it never does
//
// Decide what is right: where both differ, docs/design.md#state-machine says which of them is wrong. The
// model knows of time only its order; how the wheel keeps equal deadlines, and how many
// of them it keeps, is tested in its own package.
package proptest
