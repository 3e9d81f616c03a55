package probe

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Member is one participant. Its owner calls its methods, except where one says otherwise. F
// is what a statement contributes to the report.
type Member[F any] struct {
	statement atomic.Pointer[Statement[F]] // published; read by other members
	patience  atomic.Int64                 // of WillStart; read by other members

	notify  func()                  // has the owner call TakeQuestions; any goroutine may call it
	wake    func()                  // has the owner look whether it is in a deadlock; likewise
	declare func(findings []F) bool // records a deadlock; false: not any more

	// Used only by the owner.
	probed    *Statement[F] // with which this member has started its last probe
	due       bool          // a probe is to be started in the next turn
	repeat    bool          // even with the statement of the last one
	started   bool          // a probe was started in this turn
	questions []question[F] // that were taken and not answered

	mu     sync.Mutex
	inbox  []question[F] // from others
	closed bool          // questions are dropped
}

// Statement is what a blocked member says about itself. It never changes.
type Statement[F any] struct {
	Finding   F
	DependsOn []*Member[F]
	Version   Version
	// Blocked tells whether something waits here. A member that is merely idle, because
	// others may give it work, is in a deadlock only together with one that is blocked.
	Blocked bool
}

// Version identifies a state of a member: two statements with equal versions are about the same one.
type Version struct {
	Transitions uint64 // of its scheduler
	Holds       uint64 // that were taken on it: a hold may come and go between two statements
}

// Init must be called before anything else.
func (m *Member[F]) Init(notify, wake func(), declare func(findings []F) bool) {
	m.notify, m.wake, m.declare = notify, wake, declare
}

// Published is the present statement, or nil.
func (m *Member[F]) Published() *Statement[F] { return m.statement.Load() }

// Publish replaces it; nil says that the member can run.
func (m *Member[F]) Publish(st *Statement[F]) { m.statement.Store(st) }

// WillStart says that the member starts a probe by itself once it has been blocked for that
// long, in any unit that all members use; 0: it starts none.
func (m *Member[F]) WillStart(patience int64) {
	if m.patience.Load() != patience {
		m.patience.Store(patience)
	}
}

// StartTurn begins a turn of the owner's loop. Each turn starts at most one probe by itself.
func (m *Member[F]) StartTurn() { m.started = false }

// MayStart tells whether a probe could be started, and none is due already.
func (m *Member[F]) MayStart() bool { return !m.started && !m.due }

// Start makes a probe due. Unless repeat, none is started with the statement of the last one.
func (m *Member[F]) Start(repeat bool) { m.due, m.repeat = true, m.repeat || repeat }

// HasWork tells whether Turn has something to do.
func (m *Member[F]) HasWork() bool { return m.due || len(m.questions) > 0 }

// Probed tells whether the last probe was started with the present statement.
func (m *Member[F]) Probed() bool { return m.probed != nil && m.probed == m.Published() }

// Turn answers the questions that were taken, and starts a probe if one is due. st is what
// the member states now; nil: it can run.
func (m *Member[F]) Turn(st *Statement[F]) {
	questions := m.questions
	m.questions = nil
	for _, q := range questions {
		m.answer(q, st)
	}
	if !m.due {
		return
	}
	repeat := m.repeat
	m.due, m.repeat, m.started = false, false, true
	if st != nil && (repeat || st != m.probed) {
		m.probed = st
		if repeat {
			m.probe(st, 0)
		} else {
			m.probe(st, m.patience.Load())
		}
	}
}

// TakeQuestions takes the questions that have arrived, for the next Turn.
func (m *Member[F]) TakeQuestions() {
	m.mu.Lock()
	for _, q := range m.inbox {
		m.questions = putLatest(m.questions, q)
	}
	clear(m.inbox)
	m.inbox = m.inbox[:0]
	m.mu.Unlock()
}

// Close takes the member out of all later probes; nothing depends on it any more. It drops all
// questions, present and future. They refer to other members, which would otherwise be kept alive
// by this one, and each of those by its own questions.
func (m *Member[F]) Close() {
	m.mu.Lock()
	m.inbox, m.closed = nil, true
	m.mu.Unlock()
	m.probed, m.questions = nil, nil
}

// isClosed may be called by any goroutine. true is final.
func (m *Member[F]) isClosed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

// ask leaves a question for the owner. Any goroutine may call it.
func (m *Member[F]) ask(q question[F]) {
	m.mu.Lock()
	closed := m.closed
	if !closed {
		m.inbox = putLatest(m.inbox, q)
	}
	m.mu.Unlock()
	if !closed {
		m.notify()
	}
}

// putLatest adds a question. It replaces one of the same prober, so that there are never more
// of them than members.
func putLatest[F any](all []question[F], q question[F]) []question[F] {
	return append(slices.DeleteFunc(all, func(o question[F]) bool { return o.round.by == q.round.by }), q)
}
