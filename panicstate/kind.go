package panicstate

// Kind is how strong a panic is. A weaker one never replaces a stronger one.
type Kind uint8

const (
	// Recoverable runs the deferred calls, and any of them may recover it.
	Recoverable Kind = iota + 1
	// Exit ends the fiber on purpose (cancellation, an exit call of the guest): it
	// runs the deferred calls and cannot be recovered.
	Exit
	// Fatal (kill, a broken engine) skips the deferred calls, cannot be recovered and
	// stays forever: the host raises it again at every poll and host call.
	Fatal
)

var kindNames = [...]string{"none", "recoverable", "exit", "fatal"}

// String is the lower-case name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid kind"
}

// Policy says what a panic that ends a fiber does beyond it. The machine does not act
// on it; it is here because every layer that does must mean the same.
type Policy uint8

const (
	// Isolate: only the fiber ends; a fiber that joins it learns why.
	Isolate Policy = iota
	// FailGroup: the fiber's group is cancelled with the panic as the cause.
	FailGroup
	// FailRun: the run ends with the panic.
	FailRun
)

var policyNames = [...]string{"isolate", "fail-group", "fail-run"}

// String is the lower-case name.
func (p Policy) String() string {
	if int(p) < len(policyNames) {
		return policyNames[p]
	}
	return "invalid policy"
}
