// Instants and dates, and timers that are stopped and set again.
package main

import (
	"fmt"
	"time"
)

func dates() {
	for _, sec := range []int64{0, -1, 86399, 951782400, 1709164800, 4102444800, -2208988800, 1234567890} {
		t := time.Unix(sec, 123456789).UTC()
		year, month, day := t.Date()
		hour, min, s := t.Clock()
		fmt.Println(year, month, day, hour, min, s, t.Nanosecond(), t.Weekday(), t.Format(time.RFC3339Nano), t)
		same := time.Date(year, month, day, hour, min, s, t.Nanosecond(), time.UTC)
		fmt.Println(same.Equal(t), t.AddDate(1, -3, 40).Format(time.DateTime), t.Compare(same))
	}
	fmt.Println(time.Date(2023, 14, -3, 25, 61, 61, 0, time.UTC).Format(time.ANSIC), time.Date(1969, -11, 1, 0, 0, 0, 0, time.UTC).Unix())
	t := time.Unix(1234567890, 123456789).UTC()
	for _, d := range []time.Duration{0, 1, 1000, time.Millisecond, time.Second, time.Minute, time.Hour, 24 * time.Hour, 7 * time.Hour, 13 * time.Second} {
		fmt.Println(t.Truncate(d).UnixNano(), t.Round(d).UnixNano())
	}
	for _, d := range []time.Duration{0, 1499 * time.Millisecond, 1500 * time.Millisecond, -1500 * time.Millisecond, -1 << 63, 1<<63 - 1} {
		fmt.Println(d.Round(time.Second), d.Truncate(time.Second), d.Abs())
	}
	fmt.Println(time.UnixMilli(1500).UnixMicro(), time.UnixMicro(2).UnixNano(), time.UTC)
}

func timers() {
	calls := make(chan string, 9)
	f := time.AfterFunc(time.Hour, func() { calls <- "called" })
	fmt.Println(f.Stop(), f.Stop(), f.Reset(time.Microsecond))
	fmt.Println(<-calls, f.Reset(time.Microsecond), <-calls)
	f.Reset(time.Hour)
	fmt.Println(f.Reset(time.Microsecond), <-calls, f.Stop())
	t := time.NewTimer(time.Microsecond)
	time.Sleep(20 * time.Millisecond)
	fmt.Println(t.Stop(), len(calls))
	select {
	case <-t.C:
		fmt.Println("stale")
	default:
		fmt.Println("empty")
	}
	fmt.Println(t.Reset(time.Microsecond))
	<-t.C
	fmt.Println(t.Stop())
}

func tickers() {
	tick := time.NewTicker(time.Millisecond)
	for range 3 {
		<-tick.C
	}
	tick.Stop()
	select {
	case <-tick.C:
		fmt.Println("stale")
	case <-time.After(5 * time.Millisecond):
		fmt.Println("stopped")
	}
	tick.Reset(time.Millisecond)
	<-tick.C
	tick.Reset(time.Hour)
	select {
	case <-tick.C:
		fmt.Println("early")
	default:
	}
	fmt.Println(time.Tick(0) == nil)
	defer func() { fmt.Println(recover()) }()
	tick.Reset(0)
}

func main() {
	dates()
	timers()
	tickers()
}
