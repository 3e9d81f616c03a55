package quota

import (
	"math"
	"time"
)

// Account is what a guest, or a tree of its fibers, has used and may use.
type Account struct {
	name   string
	parent *Account
	limits [resources]int64 // 0: no limit
	spent  [resources]int64
	passed *Error // the first refusal, which all later ones repeat
}

// New makes an Account without a parent.
func New(name string, l Limits) *Account { return (*Account)(nil).Child(name, l) }

// Child makes an Account below a.
func (a *Account) Child(name string, l Limits) *Account {
	return &Account{name: name, parent: a, limits: l.table()}
}

// Name is for messages.
func (a *Account) Name() string { return a.name }

// Parent is the Account above, or nil.
func (a *Account) Parent() *Account { return a.parent }

// Take adds n to what the Account and all above it have used. If a limit would be passed, it adds
// nothing and returns an *Error for the Account nearest to the root. It costs a few nanoseconds for
// each level.
func (a *Account) Take(r Resource, n int64) error {
	var over *Account
	for at := a; at != nil; at = at.parent {
		if limit := at.limits[r]; limit != 0 && n > limit-at.spent[r] {
			over = at
		}
	}
	if over != nil {
		return over.pass(r)
	}
	for at := a; at != nil; at = at.parent {
		at.spent[r] += n
	}
	return nil
}

// pass remembers the first refusal.
func (a *Account) pass(r Resource) *Error {
	if a.passed == nil {
		a.passed = &Error{Account: a.name, Resource: r, Limit: a.limits[r], Spent: a.Spent()}
	}
	return a.passed
}

// AddTime adds to the Time of this Account only, because the times of an Account and of those above
// it are the same time, and returns an *Error when the limit is reached.
func (a *Account) AddTime(d time.Duration) error {
	a.spent[Time] += int64(d)
	if limit := a.limits[Time]; limit != 0 && a.spent[Time] >= limit {
		return a.pass(Time)
	}
	return nil
}

// Give returns what is free again: a fiber that has ended, memory that was released.
func (a *Account) Give(r Resource, n int64) {
	for at := a; at != nil; at = at.parent {
		at.spent[r] -= n
	}
}

// Limit is the limit of this Account itself; 0 is none.
func (a *Account) Limit(r Resource) int64 { return a.limits[r] }

// Left is how much can be taken now; math.MaxInt64 if there is no limit.
func (a *Account) Left(r Resource) int64 {
	left := int64(math.MaxInt64)
	for at := a; at != nil; at = at.parent {
		if limit := at.limits[r]; limit != 0 {
			left = min(left, limit-at.spent[r])
		}
	}
	return left
}

// Passed is the *Error of the first refusal by this Account or one above it, or nil.
func (a *Account) Passed() error {
	for at := a; at != nil; at = at.parent {
		if at.passed != nil {
			return at.passed
		}
	}
	return nil
}

// Spent is what the Account and all below it have used.
func (a *Account) Spent() Spent { return spentOf(a.spent) }
