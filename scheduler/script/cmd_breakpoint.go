package script

// cmdBreakpoint is for a debugger: set a breakpoint on it, and put the command into
// the script where the run shall stop.
func cmdBreakpoint(w *world, a *args) {
	if a.done() {
		w.say("_breakpoint")
	}
}
