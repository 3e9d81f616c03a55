package time

// Location is a time zone: there is only UTC.
type Location struct{ name string }

var (
	UTC   = &Location{"UTC"}
	Local = UTC
)

func (l *Location) String() string { return l.name }

type Month int

const (
	January Month = 1 + iota
	February
	March
	April
	May
	June
	July
	August
	September
	October
	November
	December
)

func (m Month) String() string {
	return [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}[m-1]
}

type Weekday int

const (
	Sunday Weekday = iota
	Monday
	Tuesday
	Wednesday
	Thursday
	Friday
	Saturday
)

func (d Weekday) String() string {
	return [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}[d]
}

const (
	ANSIC       = "Mon Jan _2 15:04:05 2006"
	RFC822      = "02 Jan 06 15:04 MST"
	RFC1123     = "Mon, 02 Jan 2006 15:04:05 MST"
	RFC3339     = "2006-01-02T15:04:05Z07:00"
	RFC3339Nano = "2006-01-02T15:04:05.999999999Z07:00"
	Kitchen     = "3:04PM"
	Stamp       = "Jan _2 15:04:05"
	StampMilli  = "Jan _2 15:04:05.000"
	DateTime    = "2006-01-02 15:04:05"
	DateOnly    = "2006-01-02"
	TimeOnly    = "15:04:05"
)

// maxLayout is how long a layout is at most.
const maxLayout = 1024

func format(ns int64, layout string) string

func (t Time) Format(layout string) string {
	if len(layout) > maxLayout {
		panic("time: a layout has at most 1024 bytes")
	}
	return format(t.ns, layout)
}

func (t Time) String() string { return t.Format("2006-01-02 15:04:05.999999999 -0700 MST") }

const day = int64(24 * Hour)

// days are the whole days since 1970, and the rest of the day.
func (t Time) days() (n, rest int64) {
	n, rest = t.ns/day, t.ns%day
	if rest < 0 {
		n, rest = n-1, rest+day
	}
	return n, rest
}

func (t Time) Date() (year int, month Month, dayOfMonth int) {
	n, _ := t.days()
	n += 719468 // days from 0000-03-01, so that leap days end years
	era := n / 146097
	ofEra := n % 146097
	ofYear := (ofEra - ofEra/1460 + ofEra/36524 - ofEra/146096) / 365
	ofEra -= 365*ofYear + ofYear/4 - ofYear/100
	m := (5*ofEra + 2) / 153
	year, dayOfMonth = int(era*400+ofYear), int(ofEra-(153*m+2)/5+1)
	if m < 10 {
		return year, Month(m + 3), dayOfMonth
	}
	return year + 1, Month(m - 9), dayOfMonth
}

func (t Time) Clock() (hour, min, sec int) {
	_, rest := t.days()
	s := int(rest / 1e9)
	return s / 3600, s / 60 % 60, s % 60
}

func (t Time) Year() int {
	year, _, _ := t.Date()
	return year
}

func (t Time) Month() Month {
	_, month, _ := t.Date()
	return month
}

func (t Time) Day() int {
	_, _, day := t.Date()
	return day
}

func (t Time) Weekday() Weekday {
	n, _ := t.days()
	return Weekday(((n+4)%7 + 7) % 7) // 1970 began on a Thursday
}

func (t Time) Hour() int {
	hour, _, _ := t.Clock()
	return hour
}

func (t Time) Minute() int {
	_, min, _ := t.Clock()
	return min
}

func (t Time) Second() int {
	_, _, sec := t.Clock()
	return sec
}

func (t Time) Nanosecond() int {
	_, rest := t.days()
	return int(rest % 1e9)
}

func (t Time) UTC() Time             { return t }
func (t Time) Local() Time           { return t }
func (t Time) In(loc *Location) Time { return t }
func (t Time) Location() *Location   { return UTC }
func (t Time) UnixMicro() int64      { return t.ns / 1e3 }

func (t Time) Compare(u Time) int {
	switch {
	case t.ns < u.ns:
		return -1
	case t.ns > u.ns:
		return 1
	}
	return 0
}

func Unix(sec, nsec int64) Time { return Time{sec*1e9 + nsec} }
func UnixMilli(msec int64) Time { return Time{msec * 1e6} }
func UnixMicro(usec int64) Time { return Time{usec * 1e3} }

func Date(year int, month Month, dayOfMonth, hour, min, sec, nsec int, loc *Location) Time {
	m := int64(month) - 1
	y := int64(year) + m/12
	if m %= 12; m < 0 {
		m, y = m+12, y-1
	}
	if m++; m <= 2 {
		m, y = m+12, y-1
	}
	n := 365*y + floor(y, 4) - floor(y, 100) + floor(y, 400) + (153*(m-3)+2)/5 + int64(dayOfMonth) - 1 - 719468
	return Time{n*day + int64(hour)*int64(Hour) + int64(min)*int64(Minute) + int64(sec)*1e9 + int64(nsec)}
}

func floor(x, by int64) int64 {
	if x < 0 {
		x -= by - 1
	}
	return x / by
}

func (t Time) Truncate(d Duration) Time {
	if d <= 0 {
		return t
	}
	return Time{t.ns - rest(t.ns, d)}
}

func (t Time) Round(d Duration) Time {
	if d <= 0 {
		return t
	}
	if r := rest(t.ns, d); r < int64(d)-r {
		return Time{t.ns - r}
	} else {
		return Time{t.ns + int64(d) - r}
	}
}

// yearOne is the second from which Truncate and Round count, the first of the year 1.
const yearOne = -62135596800

// rest is how long an instant is after the last multiple of d since the year 1.
func rest(ns int64, d Duration) int64 {
	by := int64(d)
	r := ns % by
	if r < 0 {
		r += by
	}
	// -yearOne seconds in nanoseconds do not fit into 64 bits: multiply modulo by.
	first := mulMod(-yearOne%by, int64(Second)%by, by)
	return int64((uint64(r) + uint64(first)) % uint64(by))
}

func mulMod(x, y, by int64) (product int64) {
	a, m := uint64(x), uint64(by)
	var sum uint64
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			sum = (sum + a) % m
		}
		a = 2 * a % m
	}
	return int64(sum)
}

func (t Time) AddDate(years, months, days int) Time {
	year, month, dayOfMonth := t.Date()
	_, rest := t.days()
	return Date(year+years, month+Month(months), dayOfMonth+days, 0, 0, 0, 0, UTC).Add(Duration(rest))
}

func (d Duration) Truncate(m Duration) Duration {
	if m <= 0 {
		return d
	}
	return d - d%m
}

func (d Duration) Round(m Duration) Duration {
	if m <= 0 {
		return d
	}
	r := d % m
	switch {
	case d < 0 && -r+-r < m:
		return d - r
	case d < 0:
		return Duration(plus(int64(d), int64(-m-r)))
	case r+r < m:
		return d - r
	}
	return Duration(plus(int64(d), int64(m-r)))
}

func (d Duration) Abs() Duration {
	switch {
	case d >= 0:
		return d
	case int64(d) == first:
		return Duration(last)
	}
	return -d
}
