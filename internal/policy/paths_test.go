package policy

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// route is the common path of one thing through the code: the functions that run each
// time, by file. docs/architecture.md lists the same files in the same order.
type route struct {
	heading string
	most    int    // files that a reader should have to open
	entries string // functions that a caller outside the path calls
	steps   string // file: functions
	exits   string // functions that the path calls and that do not belong to it, and why
}

var routes = []route{{
	heading: "A ticket: Arm, Deliver, Claim",
	most:    8,
	entries: "ArmForQueue Block Deliver Claim",
	steps: `
scheduler/arm.go: ArmForQueue ticket
scheduler/block.go: Block
scheduler/deliver.go: Deliver
scheduler/slots.go: peek
scheduler/fastpath.go: waitsBy queueWait
scheduler/gate.go: passKnown
scheduler/runqueue.go: join
scheduler/claim.go: Claim
`,
	exits: `
Arm: every other kind of wait
blockSlow: a latched result, an interrupt, a native call
deliverSlow: a late ticket, or a wait with more than its ticket
claimSlow: a native call
keepsSole: a fiber with an extension record
push: more fibers are ready than a batch holds
mustHold: the checked build
mustHaveParked: the checked build
checkOwner: the checked build
endFast: the checked build
`,
}, {
	heading: "A value: stackful.Send to the receiver",
	most:    12,
	entries: "Send RecvUntil",
	steps: `
stackful/chan.go: Send SendUntil TrySend RecvUntil
stackful/fiber.go: useChan wake Await claimed
wait/chan_ops.go: TrySend met
internal/waitq/queue.go: MatchOnly leave
scheduler/deliver.go: Apply
scheduler/slots.go: peek
scheduler/fastpath.go: waitsBy waitsWithExt
scheduler/gate.go: passKnown
scheduler/runqueue.go: join
scheduler/claim.go: Claim
wait/chan_wait.go: Collect
internal/waitq/take.go: Collect
`,
	exits: `
beginPoint: guard: the caller, a kill; an explored run may run others first
admitChan: guard: an object of another runtime
beginWait: guard: the caller, a kill, frames that cannot wait
WaitRoom: guard: a wait without a number
waitRoom: guard: a wait without a number, or a deadline without a timer
killed: guard: a kill during the wait
at: adds the position to an error
refuse: an error
interrupt: an error
Err: an error
forever: a nil channel
Source: the same channel under another type
WithDeadline: the receiver's wait begins
TryRecv: a value is there already
arm: the receiver's wait begins: the path of a ticket
suspend: the receiver's wait begins: the path of a ticket
Disarm: the object refuses to park
Cause: a cancelled or killed receiver
ParkSend: no receiver waits
ParkRecv: the receiver's wait begins
Match: several receivers wait
push: the channel buffers, or more fibers are ready than a batch holds
collect: several receivers wait
applySlow: a late ticket, or a wait with more than its ticket
claimSlow: a native call
keepsSole: a fiber with an extension record
checkOwner: the checked build
endFast: the checked build
`,
}}

// Each route is the one that the code takes: every step is declared in its file and
// called by another step, and what a step calls is a step, an exit, or an accessor.
func TestThePathsInTheArchitectureAreTheOnesThatTheCodeTakes(t *testing.T) {
	tr := repository(t)
	types := resolve(tr, "stackful", "wait", "scheduler", "internal/waitq")
	for _, r := range routes {
		for _, f := range newTracer(tr, types, r).judge() {
			t.Error(f)
		}
	}
	moved := routes[0]
	moved.steps = strings.Replace(moved.steps, "scheduler/slots.go: peek", "scheduler/ring.go: peek", 1)
	found := fmt.Sprint(newTracer(tr, types, moved).judge())
	for _, want := range []string{"scheduler/ring.go: A ticket: Arm, Deliver, Claim: does not declare peek",
		"Deliver calls peek of scheduler/slots.go, which is no step", "lists [scheduler/arm.go"} {
		if !strings.Contains(found, want) {
			t.Errorf("a function in another file: found %v, want %q", found, want)
		}
	}
}

var stepLink = regexp.MustCompile(`(?m)^\d+\. \[([\w/]+\.go)\]`)

// documented are the files that the section of the architecture lists.
func (r route) documented(tr *tree) []string {
	_, section, _ := strings.Cut(texts(tr)["docs/architecture.md"], "\n### "+r.heading+"\n")
	section, _, _ = strings.Cut(section, "\n#")
	var files []string
	for _, m := range stepLink.FindAllStringSubmatch(section, -1) {
		files = append(files, m[1])
	}
	return files
}

// tracer follows the calls of one route.
type tracer struct {
	route
	tr     *tree
	types  *resolved
	files  []string
	step   map[string]bool // file and name
	exit   map[string]bool
	called map[string]bool // steps that a step calls
	used   map[string]bool // exits that a step calls
	found  []finding
}

func newTracer(tr *tree, types *resolved, r route) *tracer {
	x := &tracer{route: r, tr: tr, types: types, step: map[string]bool{}, exit: map[string]bool{}, called: map[string]bool{}, used: map[string]bool{}}
	for line := range strings.Lines(strings.TrimSpace(r.steps)) {
		file, names, _ := strings.Cut(strings.TrimSpace(line), ": ")
		x.files = append(x.files, file)
		for _, name := range strings.Fields(names) {
			x.step[file+" "+name] = true
		}
	}
	for line := range strings.Lines(strings.TrimSpace(r.exits)) {
		name, _, _ := strings.Cut(line, ": ")
		x.exit[name] = true
	}
	return x
}

func (x *tracer) object(where, format string, args ...any) {
	x.found = append(x.found, finding{where, x.heading + ": " + fmt.Sprintf(format, args...)})
}

func (x *tracer) judge() []finding {
	if docs := x.documented(x.tr); !slices.Equal(docs, x.files) {
		x.object("docs/architecture.md", "lists %v, the path is %v", docs, x.files)
	}
	if len(x.files) > x.most {
		x.object("docs/architecture.md", "%d files, at most %d", len(x.files), x.most)
	}
	for step := range x.step {
		x.follow(step)
	}
	for step := range x.step {
		if file, name, _ := strings.Cut(step, " "); !x.called[step] && !slices.Contains(strings.Fields(x.entries), name) {
			x.object(file, "no step calls %s", name)
		}
	}
	for name := range x.exit {
		if !x.used[name] {
			x.object("internal/policy/paths_test.go", "no step calls the exit %s", name)
		}
	}
	return x.found
}

// follow judges the calls of one step.
func (x *tracer) follow(step string) {
	file, name, _ := strings.Cut(step, " ")
	declared := x.types.functions[place{file, name}]
	if len(declared) == 0 {
		x.object(file, "does not declare %s", name)
	}
	for _, d := range declared {
		x.calls(d)
	}
}

func (x *tracer) calls(d *ast.FuncDecl) {
	ast.Inspect(d.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		p, callee := x.types.callee(call)
		switch step := p.file + " " + p.name; {
		case callee == nil: // a builtin, a conversion, a value, an interface, the standard library
		case x.step[step]:
			x.called[step] = true
		case x.exit[p.name]:
			x.used[p.name] = true
		case !x.types.accessor(callee, 1):
			x.found = append(x.found, x.tr.at(call.Pos(), "%s: %s calls %s of %s, which is no step and no exit", x.heading, d.Name.Name, p.name, p.file))
		}
		return true
	})
}
