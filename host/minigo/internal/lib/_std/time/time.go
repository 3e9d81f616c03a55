// Package time is what minigo has of Go's.
package time

type Duration int64

const (
	Nanosecond  Duration = 1
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
)

func (d Duration) Nanoseconds() int64  { return int64(d) }
func (d Duration) Microseconds() int64 { return int64(d) / 1e3 }
func (d Duration) Milliseconds() int64 { return int64(d) / 1e6 }
func (d Duration) Seconds() float64    { return float64(d) / 1e9 }
func (d Duration) Minutes() float64    { return float64(d) / 6e10 }
func (d Duration) Hours() float64      { return float64(d) / 36e11 }
func (d Duration) String() string      { return durationString(d) }

func durationString(d Duration) string

// Time is an instant: nanoseconds since 1970.
type Time struct{ ns int64 }

func now() int64

const (
	first int64 = -1 << 63
	last  int64 = 1<<63 - 1
)

// plus and minus stop at the last instant, or the first.
func plus(x, y int64) int64 {
	sum := x + y
	if y > 0 && sum < x {
		return last
	}
	if y < 0 && sum > x {
		return first
	}
	return sum
}

func minus(x, y int64) int64 {
	d := x - y
	if y < 0 && d < x {
		return last
	}
	if y > 0 && d > x {
		return first
	}
	return d
}

func Now() Time                    { return Time{now()} }
func Since(t Time) Duration        { return Now().Sub(t) }
func Until(t Time) Duration        { return t.Sub(Now()) }
func (t Time) Sub(u Time) Duration { return Duration(minus(t.ns, u.ns)) }
func (t Time) Add(d Duration) Time { return Time{plus(t.ns, int64(d))} }
func (t Time) After(u Time) bool   { return t.ns > u.ns }
func (t Time) Before(u Time) bool  { return t.ns < u.ns }
func (t Time) Equal(u Time) bool   { return t.ns == u.ns }
func (t Time) IsZero() bool        { return t.ns == 0 }
func (t Time) Unix() int64         { return t.ns / 1e9 }
func (t Time) UnixNano() int64     { return t.ns }
func (t Time) UnixMilli() int64    { return t.ns / 1e6 }

func Sleep(d Duration)

// point is where the schedule may change while it is explored; otherwise it is nothing.
func point()

// alarm is the machine's timer: it sends on its channel when it is due, and then each period, if that
// is not 0.
type alarm struct{}

func startAlarm(c chan Time, at, period int64) *alarm
func resetAlarm(a *alarm, at, period int64) bool

type Timer struct {
	C <-chan Time
	c chan Time
	a *alarm
	f func()
}

func at(d Duration) int64 {
	if d < 0 {
		d = 0
	}
	return plus(now(), int64(d))
}

func NewTimer(d Duration) *Timer {
	c := make(chan Time, 1)
	return &Timer{C: c, c: c, a: startAlarm(c, at(d), 0)}
}

func After(d Duration) <-chan Time { return NewTimer(d).C }

// Stop keeps the timer from firing. Since Go 1.23 nothing stale is left in its channel.
func (t *Timer) Stop() bool {
	point()
	if t.a == nil {
		panic("time: Stop called on uninitialized Timer")
	}
	active := resetAlarm(t.a, -1, 0)
	switch {
	case t.f == nil:
		return drain(t.c) || active
	case active:
		close(t.c)
	}
	return active
}

func (t *Timer) Reset(d Duration) bool {
	if t.a == nil {
		panic("time: Reset called on uninitialized Timer")
	}
	active := t.Stop()
	if t.f == nil {
		resetAlarm(t.a, at(d), 0)
	} else {
		t.begin(d)
	}
	return active
}

// drain takes back what was sent and not received.
func drain(c chan Time) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// AfterFunc has a goroutine while the timer is set.
func AfterFunc(d Duration, f func()) *Timer {
	t := &Timer{f: f}
	t.begin(d)
	return t
}

// begin sets the timer of an AfterFunc that is not set.
func (t *Timer) begin(d Duration) {
	t.c = make(chan Time, 1)
	t.a = startAlarm(t.c, at(d), 0)
	go func(c chan Time) {
		if _, due := <-c; due {
			t.f()
		}
	}(t.c)
}

type Ticker struct {
	C <-chan Time
	c chan Time
	a *alarm
}

func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	c := make(chan Time, 1)
	return &Ticker{c, c, startAlarm(c, at(d), int64(d))}
}

func (t *Ticker) Stop() {
	point()
	if t.a != nil {
		resetAlarm(t.a, -1, 0)
		drain(t.c)
	}
}

func (t *Ticker) Reset(d Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if t.a == nil {
		panic("time: Reset called on uninitialized Ticker")
	}
	t.Stop()
	resetAlarm(t.a, at(d), int64(d))
}

func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}
