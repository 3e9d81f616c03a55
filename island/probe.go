package island

import "time"

// DefaultProbeAfter is how long an island sleeps before it probes.
const DefaultProbeAfter = 100 * time.Millisecond

type prober struct{ blind bool }
