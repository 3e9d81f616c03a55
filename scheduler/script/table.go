package script

// commands is the table of the language, in the order of docs/scripts.md.
func commands() []command {
	return append(append(turns(), waits()...), objects()...)
}

// turns are the commands about the scheduler and its loop.
func turns() []command {
	return []command{
		{"new", "new [max-fibers N] [max-trampolines N] [max-tokens N] [max-nesting N] [grace D] [seed N] [number N]",
			"begin again with a new scheduler; nothing keeps its name", cmdNew},
		{"spawn", "spawn NAME… [front] [frames] [nests] [joinable] [main]",
			"make fibers; they are runnable", cmdSpawn},
		{"next", "next", "ScheduleNext, after a Poll if the batch is used up", cmdNext},
		{"spin", "spin N", "N times next and yield, in short", cmdSpin},
		{"poll", "poll", "Poll: serve the inbox and due timers, begin a batch", cmdPoll},
		{"yield", "yield", "YieldCurrent", cmdYield},
		{"finish", "finish OUTCOME", "Finish: end the slice with frame-changed, timeslice-expired, block REASON, panic, done or osr", cmdFinish},
		{"exit", "exit [VALUE | error TEXT]", "the current fiber ends", cmdExit},
		{"cancel", "cancel FIBER [CAUSE]", "Cancel", cmdCancel},
		{"kill", "kill FIBER|all [CAUSE]", "Kill, KillAll", cmdKill},
		{"interrupted", "interrupted", "Interrupted: what a host asks at its polls", cmdInterrupted},
		{"mask", "mask", "Mask: put off cancellation", cmdMask},
		{"unmask", "unmask", "undo one mask", cmdUnmask},
		{"acquire", "acquire NAME", "AcquireTrampoline: a native call begins above the executing context", cmdAcquire},
		{"release", "release NAME", "ReleaseTrampoline: it returns", cmdRelease},
		{"give-way", "give-way", "YieldPinned: the call of a fiber that nests is pinned, and others have a turn", cmdGiveWay},
		{"unpin", "unpin", "Unpin: the innermost pinned call goes on", cmdUnpin},
		{"condemn", "condemn", "FailPinned: the wait that nothing can end ends with a fatal panic", cmdCondemn},
		{"panic", "panic [exit|fatal] VALUE", "BeginPanic in the executing context", cmdPanic},
		{"active", "active", "the panic in force in the executing context, with its generation", cmdActive},
		{"recover", "recover FRAME", "Recover, called by the code of a frame", cmdRecover},
		{"defer", "defer FRAME CALL", "register a deferred call", cmdDefer},
		{"unwind", "unwind", "the next deferred call that the panic runs", cmdUnwind},
		{"return", "return FRAME", "the next deferred call of a frame that returns", cmdReturn},
		{"end-defer", "end-defer", "the deferred call that runs has returned", cmdEndDefer},
		{"tick", "tick D", "the clock moves on; the loop polls unless a fiber runs", cmdTick},
		{"advance", "advance", "what an idle loop does: wait until the next deadline, and poll", cmdAdvance},
		{"post", "post deliver TICKET [CODE] | complete OPERATION [VALUE | error TEXT] | cancel FIBER [CAUSE] | kill FIBER [CAUSE]",
			"the same from another goroutine: served at the next poll", cmdPost},
		{"sender", "sender NAME", "promise that something may come from outside, until close", cmdSender},
		{"idle", "idle", "the verdict: busy, done, waiting or deadlock with its report", cmdIdle},
		{"report", "report", "the partial deadlocks: groups of fibers that can only wake each other", cmdReport},
		{"lookup", "lookup RAW", "which fiber lives in the slot of a raw encoding", cmdLookup},
		{"dump", "dump", "states, ready queue, registrations, totals", cmdDump},
		{"verify", "verify", "compare the location table with the states (done after every command too)", cmdVerify},
		{"history", "history [N]", "the last N recorded transitions (10)", cmdHistory},
		{"_breakpoint", "_breakpoint", "nothing: a place for a debugger to stop", cmdBreakpoint},
	}
}

// waits are the commands about single waits and asynchronous operations.
func waits() []command {
	return []command{
		{"arm", "arm queue|io OPERATION|timer D [on CASE…|MUTEX] [by D] [external] [as NAME]",
			"Arm, and register with what it waits on", cmdArm},
		{"disarm", "disarm", "Disarm", cmdDisarm},
		{"block", "block", "Block", cmdBlock},
		{"claim", "claim", "the executing context collects how its last wait ended, and what came", cmdClaim},
		{"wake", "wake FIBER", "Wake, by ID: for owner code that knows", cmdWake},
		{"deliver", "deliver TICKET [ok|closed|failed]", "Deliver, by ticket", cmdDeliver},
		{"sleep", "sleep D", "arm a timer and block", cmdSleep},
		{"submit", "submit NAME", "Submit: an operation of the current fiber begins", cmdSubmit},
		{"await", "await OPERATION [by D]", "arm for its completion and block", cmdAwait},
		{"complete", "complete OPERATION|CELL [VALUE | error TEXT]", "it ends", cmdComplete},
		{"take", "take OPERATION", "collect the completion of an operation", cmdTake},
		{"attach", "attach OPERATION CELL", "let a cell take the completion", cmdAttach},
		{"cancellations", "cancellations", "the abandoned operations that the shell has to cancel", cmdCancellations},
	}
}

// objects are the commands about what fibers wait on.
func objects() []command {
	return []command{
		{"chan", "chan NAME [CAPACITY]", "make a channel", cmdChan},
		{"send", "send CHAN VALUE [by D]", "try to send, else wait", cmdSend},
		{"recv", "recv CHAN [by D]", "try to receive, else wait", cmdRecv},
		{"try-send", "try-send CHAN VALUE", "send if that does not block; anybody may", cmdTrySend},
		{"try-recv", "try-recv CHAN", "receive if that does not block; anybody may", cmdTryRecv},
		{"close", "close CHAN|SENDER", "close it", cmdClose},
		{"select", "select CASE… [default] [by D]", "do one of the cases <-CHAN, CHAN<-VALUE, FIBER (join), CELL", cmdSelect},
		{"mutex", "mutex NAME [hand-on]", "make a mutex; the death of its owner poisons it, or hands it on", cmdMutex},
		{"lock", "lock MUTEX [by D]", "try to lock, else wait", cmdLock},
		{"unlock", "unlock MUTEX", "unlock", cmdUnlock},
		{"join", "join FIBER|CELL [by D]", "wait for the end of a joinable fiber, or for a cell", cmdJoin},
		{"cell", "cell NAME", "make a completion cell", cmdCell},
	}
}
