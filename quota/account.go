package quota

import (
	"math"
	"sync"
	"time"
)

// Account is what a guest, or a tree of its fibers, has used and may use.
type Account struct {
	name   string
	parent *Account
	root   *Account
	limits [resources]int64 // 0: no limit
	spent  [resources]int64
	passed *Error // the first refusal, which all later ones repeat
	shared *share // of the root; nil: one goroutine uses the tree
}

type share struct {
	mu       sync.Mutex
	onPassed func(*Error)
}

// New makes an Account without a parent.
func New(name string, l Limits) *Account {
	a := &Account{name: name, limits: l.table()}
	a.root = a
	return a
}

// Child makes an Account below a.
func (a *Account) Child(name string, l Limits) *Account {
	return &Account{name: name, parent: a, root: a.root, limits: l.table()}
}

// Share lets several goroutines use the tree of an Account without a parent. Call it before there is a
// second one. passed is called when the quota of this Account is passed, on the goroutine that has
// passed it.
func (a *Account) Share(passed func(*Error)) { a.root.shared = &share{onPassed: passed} }

func (a *Account) lock() {
	if s := a.root.shared; s != nil {
		s.mu.Lock()
	}
}

func (a *Account) unlock() {
	if s := a.root.shared; s != nil {
		s.mu.Unlock()
	}
}

// Name is for messages.
func (a *Account) Name() string { return a.name }

// Parent is the Account above, or nil.
func (a *Account) Parent() *Account { return a.parent }

// Take adds n to what the Account and all above it have used. If a limit would be passed, it adds
// nothing and returns an *Error for the Account nearest to the root. It costs a few nanoseconds for
// each level.
func (a *Account) Take(r Resource, n int64) error {
	a.lock()
	var over *Account
	for at := a; at != nil; at = at.parent {
		if limit := at.limits[r]; limit != 0 && n > limit-at.spent[r] {
			over = at
		}
	}
	if over == nil {
		a.add(r, n)
	}
	a.unlock()
	if over != nil {
		return over.pass(r)
	}
	return nil
}

// pass remembers the first refusal.
func (a *Account) pass(r Resource) *Error {
	a.lock()
	first := a.passed == nil
	if first {
		a.passed = &Error{Account: a.name, Resource: r, Limit: a.limits[r], Spent: spentOf(a.spent)}
	}
	a.unlock()
	if s := a.shared; first && s != nil && s.onPassed != nil {
		s.onPassed(a.passed)
	}
	return a.passed
}

// AddTime adds to the Time of this Account only, because the times of an Account and of those above
// it are the same time, and returns an *Error when the limit is reached.
func (a *Account) AddTime(d time.Duration) error {
	a.lock()
	a.spent[Time] += int64(d)
	limit := a.limits[Time]
	reached := limit != 0 && a.spent[Time] >= limit
	a.unlock()
	if reached {
		return a.pass(Time)
	}
	return nil
}

// Add takes n whatever the limits are, for what has been used already.
func (a *Account) Add(r Resource, n int64) {
	a.lock()
	a.add(r, n)
	a.unlock()
}

func (a *Account) add(r Resource, n int64) {
	for at := a; at != nil; at = at.parent {
		at.spent[r] += n
	}
}

// Give returns what is free again: a fiber that has ended, memory that was released.
func (a *Account) Give(r Resource, n int64) { a.Add(r, -n) }

// Limit is the limit of this Account itself; 0 is none.
func (a *Account) Limit(r Resource) int64 { return a.limits[r] }

// Limits are those of this Account itself.
func (a *Account) Limits() Limits { return Limits(spentOf(a.limits)) }

// Left is how much can be taken now; math.MaxInt64 if there is no limit.
func (a *Account) Left(r Resource) int64 {
	a.lock()
	left := int64(math.MaxInt64)
	for at := a; at != nil; at = at.parent {
		if limit := at.limits[r]; limit != 0 {
			left = min(left, limit-at.spent[r])
		}
	}
	a.unlock()
	return max(left, 0)
}

// Passed is the *Error of the first refusal by this Account or one above it, or nil.
func (a *Account) Passed() error {
	a.lock()
	defer a.unlock()
	for at := a; at != nil; at = at.parent {
		if at.passed != nil {
			return at.passed
		}
	}
	return nil
}

// Spent is what the Account and all below it have used.
func (a *Account) Spent() Spent {
	a.lock()
	defer a.unlock()
	return spentOf(a.spent)
}
