package main

import "slices"

// allRows is every comparison. A row's peer does the same work the same number of times.
//
// A function that makes the loop of a row is marked noinline if the loop is a closure. Inlined
// into this large function, the loop would be compiled with almost no inlining, and the row would
// measure calls that the loop of a host does not make.
func allRows() []row {
	rows := []row{
		{id: "P01", work: "next+yield, 8 fibers", peer: "Gosched", goal: 15, n: 800_000,
			ours: nextYield(8), theirs: gosched(8)},
		{id: "P01", work: "next+yield, 1000 fibers", peer: "Gosched", goal: 15, n: 800_000,
			ours: nextYield(1000), theirs: gosched(1000)},
		{id: "P03", work: "next+block+wake by ticket", peer: "goroutines passing a baton", goal: 15, n: 800_000,
			ours: blockWake(8), theirs: baton(8)},
		{id: "P05", work: "spawn+run+kill, reused slot", peer: "WaitGroup.Go", goal: 30, n: 800_000,
			ours: spawnRunKill, theirs: goStmt},
		{id: "P14", work: "ping-pong, one way", peer: "goroutines", goal: 9, n: 400_000,
			ours: ring(2), theirs: baton(2)},
		{id: "P15", work: "ring of 503, a hop", peer: "goroutines", goal: 10, n: 400_000,
			ours: ring(503), theirs: baton(503)},
		{id: "P18", work: "prime sieve, 1000 primes, a prime", peer: "goroutines", goal: 10, n: 1000, whole: true,
			ours: primes, theirs: goPrimes},
		{id: "P20", work: "mutex hand-off, 100 fibers", peer: "sync.Mutex", goal: 20, n: 400_000,
			ours: handOff(100), theirs: syncMutex(100)},
		{id: "P06", work: "acquire+release", peer: "our next+block+wake", goal: 1.3, atMost: true, n: 800_000,
			ours: acquireRelease(1), theirs: blockWake(8)},
		{id: "P06", work: "acquire+release, 8 deep", peer: "our next+block+wake", goal: 1.3, atMost: true, n: 800_000,
			ours: acquireRelease(8), theirs: blockWake(8)},
		{id: "P06", work: "native call that parks", peer: "iter.Pull there and back", goal: 4, atMost: true, n: 200_000,
			ours: parkingCall(8), theirs: pull},
		{id: "P12", work: "blocking pool, 100 outstanding", peer: "goroutine an operation", goal: 10, n: 200_000,
			ours: poolWork(100), theirs: goroutineEach(100)},
		{id: "P12", work: "blocking pool, 10,000 outstanding", peer: "goroutine an operation", goal: 10, n: 200_000,
			ours: poolWork(10_000), theirs: goroutineEach(10_000)},
	}
	return slices.Concat(rows, checkingRows(), crowdRows(), operationRows(), outsideRows(), islandRows(), timerRows(), cpuRows(),
		latenessRows(), wasmRows(), minigoRows(), languageRows(), actorRows(), poolRows(), luaRows(), preemptionRows(), observingRows(), exploringRows())
}
