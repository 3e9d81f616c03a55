package policy

// graph is the import graph of docs/design.md#packages: the packages each package may import, and
// with them whatever those may import. Standard library packages are not named;
// all packages have them, except where purity_test.go takes some away.
//
// DO NOT CHANGE THIS DATA TO FIX BUILDS. An import that the graph forbids is a question
// about the design: answer it in docs/decisions first.
//
//   - A row speaks for its folder and the folders below, unless a longer row does; a *
//     stands for one folder name. What one row speaks for is one package to the rest:
//     its parts may import each other.
//   - Rows import only rows above them.
//   - all: everything above. external: modules other than this one. cgo: import "C".
//     types: only types and constants of what the row names, no functions.
//   - Tests may import what they like.
const graph = `
fiber:
panicstate:
quota:
sandbox:
profile:         external
internal/*:      fiber
internal/policy:
internal/stack:  internal/*
ioqueue:         fiber internal/*
internal/opqueue: ioqueue internal/*
scheduler:       fiber panicstate quota ioqueue internal/* internal/opqueue
wait:            fiber ioqueue internal/*
trampoline:      scheduler
parking:         scheduler trampoline internal/stack
scope:           scheduler wait
trace:           scheduler
stackful:        scheduler trampoline wait scope internal/stack
wallclock:       fiber
blocking:        scheduler ioqueue
reactor:         scheduler blocking wallclock
fiberio:         stackful blocking sandbox
explore:         stackful
recorder:        scheduler
host/frame:
inspect:         scheduler recorder host/frame
runlog:          scheduler
recorder/internal/programs: stackful
island:          scheduler wait blocking wallclock
island/bridge:   island
island/internal/islandtest: island stackful external
pool:            island
inspect/islands: inspect pool
actor:           scheduler wait
actor/goactor:   actor stackful
metrics:         scheduler recorder pool island quota external
internal/script: scheduler wait actor actor/goactor internal/*
host/wasm/meter:
host/bind:       internal/*
host/internal/control: scheduler internal/*
host/internal/hosttest: scheduler host/bind external
host/internal/race:
host/*:          stackful scope wait trampoline wallclock island fiberio sandbox quota profile host/bind host/frame host/internal/control host/internal/race host/wasm/meter external
host/native:     stackful scope wait trampoline external cgo
spec:            fiber panicstate types
spec/replay:     spec fiber
proptest:        all external
internal/tools/statemachine: spec proptest
cmd/*:           all external
bench:           all external
examples:        all external
.:
`

// core are the packages whose API is counted, listed in docs/api and shown by
// examples. They hold no mutable package state and need nothing but the standard
// library.
const core = "panicstate fiber ioqueue wait scheduler trampoline parking scope stackful wallclock blocking reactor island island/bridge pool actor"

// pure are the packages that do no I/O, start no goroutine and read no clock
// (docs/design.md#determinism): what they do depends only on the calls made to them.
const pure = "panicstate quota fiber ioqueue wait scheduler trampoline scope host/wasm/meter"
