package schedscript

import (
	"slices"

	"github.com/selvage-dev/selvage/internal/script"
)

// action carries out a command: it reads all its arguments before it does anything.
type action func(*world, *args)

// commands is the table of the language, in the order of docs/scripts.md. A row names the
// readers of the arguments and the function that gets what they have read.
func commands() script.Table[action] {
	return script.Table[action]{
		Guide: "docs/scripts.md",
		Commands: slices.Concat(fiberCommands(), callCommands(), outsideCommands(), inspectionCommands(),
			waitCommands(), objectCommands()),
	}
}

type command = script.Command[action]

func row(usage, help string, do action) command { return command{Usage: usage, Help: help, Do: do} }

// fiberCommands are about fibers and their time slices.
func fiberCommands() []command {
	return []command{
		row("new [max-fibers N] [max-trampolines N] [max-tokens N] [max-nesting N] [grace D] [seed N] [number N]",
			"begin again with a new scheduler; all names are free again", one((*args).config, (*world).cmdNew)),
		row("spawn NAME… [front] [frames] [nests] [joinable] [main]", "make fibers; they are runnable", one((*args).spawning, (*world).cmdSpawn)),
		row("next", "ScheduleNext, after a Poll if the batch is used up", none((*world).cmdNext)),
		row("spin N", "N times next and yield", one((*args).turns, (*world).cmdSpin)),
		row("poll", "Poll: serve the inbox and due timers, begin a batch", none((*world).poll)),
		row("yield", "YieldCurrent", none((*world).cmdYield)),
		row("finish OUTCOME", "Finish: end the slice with frame-changed, timeslice-expired, block REASON, panic, done or osr",
			one((*args).outcome, (*world).cmdFinish)),
		row("exit [VALUE | error TEXT]", "the current fiber ends", one((*args).result, (*world).cmdExit)),
		row("cancel FIBER [CAUSE]", "Cancel", two((*args).fiber, (*args).cause, (*world).cmdCancel)),
		row("kill FIBER|all [CAUSE]", "Kill, KillAll", two((*args).fiberOrAll, (*args).cause, (*world).cmdKill)),
		row("take-interrupt", "TakeInterrupt: whether the fiber must unwind now", none((*world).cmdTakeInterrupt)),
		row("mask", "Mask: postpone cancellation", none((*world).cmdMask)),
		row("unmask", "undo one mask", none((*world).cmdUnmask)),
	}
}

// callCommands are about native calls and panics.
func callCommands() []command {
	return []command{
		row("acquire NAME", "AcquireTrampoline: a native call begins above the executing context", one(newName("a trampoline"), (*world).cmdAcquire)),
		row("release NAME", "ReleaseTrampoline: it returns", one((*args).trampoline, (*world).cmdRelease)),
		row("yield-pinned", "YieldPinned: pin the call of a fiber that nests, so that other fibers run", none((*world).cmdYieldPinned)),
		row("unpin", "Unpin: the innermost pinned call continues", none((*world).cmdUnpin)),
		row("fail-pinned", "FailPinned: end the wait that nothing else can end, with a Fatal panic", none((*world).cmdFailPinned)),
		row("panic [exit|fatal] VALUE", "BeginPanic in the executing context", two((*args).panicKind, value, (*world).cmdPanic)),
		row("active", "the panic in force in the executing context, with its generation", none((*world).cmdActive)),
		row("recover FRAME", "Recover, called by the code of a frame", one(frame, (*world).cmdRecover)),
		row("defer FRAME CALL", "register a deferred call", two(frame, callName, (*world).cmdDefer)),
		row("unwind", "the next deferred call that the panic runs", none((*world).cmdUnwind)),
		row("return FRAME", "the next deferred call of a frame that returns", one(frame, (*world).cmdReturn)),
		row("end-defer", "the deferred call that runs has returned", none((*world).cmdEndDefer)),
	}
}

// outsideCommands are about time and about what comes from other goroutines.
func outsideCommands() []command {
	return []command{
		row("tick D", "advance the clock; the loop polls unless a fiber runs", one((*args).duration, (*world).cmdTick)),
		row("advance", "the step of an idle loop: wait until the next deadline, and poll", none((*world).cmdAdvance)),
		row("post deliver TICKET [CODE] | complete OPERATION [VALUE | error TEXT] | cancel FIBER [CAUSE] | kill FIBER [CAUSE]",
			"the same from another goroutine: served at the next poll", one((*args).message, (*world).cmdPost)),
		row("sender NAME", "something may arrive from outside until close", one(newName("a sender"), (*world).cmdSender)),
	}
}

// inspectionCommands change nothing.
func inspectionCommands() []command {
	return []command{
		row("idle", "the verdict: busy, done, waiting or deadlock with its report", none((*world).cmdIdle)),
		row("report", "the partial deadlocks: groups of fibers that can only wake each other", none((*world).cmdReport)),
		row("lookup RAW", "the fiber in the slot that a raw ID names", one((*args).raw, (*world).cmdLookup)),
		row("dump", "states, ready queue, registrations, totals", none((*world).cmdDump)),
		row("verify", "compare the location table with the states (done after every command too)", none((*world).cmdVerify)),
		row("history [N]", "the last N recorded transitions (10)", one((*args).historyLength, (*world).cmdHistory)),
		row("_breakpoint", "does nothing: a place for a debugger to stop", none((*world).cmdBreakpoint)),
	}
}

// waitCommands are about single waits and asynchronous operations.
func waitCommands() []command {
	return []command{
		row("arm queue|io OPERATION|timer D [on CASE…|MUTEX] [by D] [external] [as NAME]",
			"Arm, and register with what it waits on", one((*args).arming, (*world).cmdArm)),
		row("disarm", "Disarm", none((*world).cmdDisarm)),
		row("block", "Block", none((*world).cmdBlock)),
		row("claim", "the executing context collects the result of its last wait", none((*world).cmdClaim)),
		row("wake FIBER", "Wake, by ID", one((*args).fiber, (*world).cmdWake)),
		row("deliver TICKET [ok|closed|failed]", "Deliver, by ticket", two((*args).ticket, (*args).code, (*world).cmdDeliver)),
		row("sleep D", "arm a timer and block", one((*args).sleep, (*world).cmdSleep)),
		row("submit NAME", "Submit: an operation of the current fiber begins", one(newName("an operation"), (*world).cmdSubmit)),
		row("await OPERATION [by D]", "arm for its completion and block", one((*args).completion, (*world).cmdAwait)),
		row("complete OPERATION|CELL [VALUE | error TEXT]", "complete an operation or a cell", two((*args).operationOrCell, (*args).result, (*world).cmdComplete)),
		row("take OPERATION", "collect the completion of an operation", one((*args).token, (*world).cmdTake)),
		row("attach OPERATION CELL", "store the completion in a cell", two((*args).token, (*args).cell, (*world).cmdAttach)),
		row("cancellations", "the abandoned operations that the shell must cancel", none((*world).cmdCancellations)),
	}
}

// objectCommands are about what fibers wait on.
func objectCommands() []command {
	return []command{
		row("chan NAME [CAPACITY]", "make a channel", two(newName("a channel"), (*args).capacity, (*world).cmdChan)),
		row("send CHAN VALUE [by D]", "send, waiting if necessary", three((*args).channel, value, (*args).queueWait, (*world).cmdSend)),
		row("recv CHAN [by D]", "receive, waiting if necessary", two((*args).channel, (*args).queueWait, (*world).cmdRecv)),
		row("try-send CHAN VALUE", "send if that does not block; allowed also while no fiber runs", two((*args).channel, value, (*world).cmdTrySend)),
		row("try-recv CHAN", "receive if that does not block; allowed also while no fiber runs", one((*args).channel, (*world).cmdTryRecv)),
		row("close CHAN|SENDER", "close it", one((*args).channelOrSender, (*world).cmdClose)),
		row("select CASE… [default] [by D]", "perform one of the cases <-CHAN, CHAN<-VALUE, FIBER (join), CELL",
			three((*args).alternatives, (*args).orDefault, (*args).queueWait, (*world).cmdSelect)),
		row("mutex NAME [hand-on]", "make a mutex; the death of its owner poisons it, or passes it to the next fiber",
			two(newName("a mutex"), (*args).policy, (*world).cmdMutex)),
		row("lock MUTEX [by D]", "lock, waiting if necessary", two((*args).mutex, (*args).queueWait, (*world).cmdLock)),
		row("unlock MUTEX", "unlock", one((*args).mutex, (*world).cmdUnlock)),
		row("join FIBER|CELL [by D]", "wait for the end of a joinable fiber, or for a cell", two((*args).joining, (*args).queueWait, (*world).cmdJoin)),
		row("cell NAME", "make a completion cell", one(newName("a cell"), (*world).cmdCell)),
	}
}
