package sandbox

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheZeroAccessHasTheSameRandomNumbersInEveryRun(t *testing.T) {
	numbers := func(a Access) string {
		p := make([]byte, 100)
		_, err := io.ReadFull(a.Entropy(), p)
		require.NoError(t, err)
		return string(p)
	}
	assert.Equal(t, numbers(Access{}), numbers(Access{}))
	assert.NotEqual(t, numbers(Process()), numbers(Process()))
	assert.Equal(t, strings.Repeat("x", 100), numbers(Access{Random: strings.NewReader(strings.Repeat("x", 100))}))
}

func TestTheClockOfAGuestStartsWhereTheAccessSays(t *testing.T) {
	assert.Equal(t, "1970-01-01T00:00:01Z", Access{}.Now(time.Second).Format(time.RFC3339))
	zone := time.FixedZone("east", 3600)
	assert.Equal(t, "2030-01-01T12:30:00+01:00", Access{Start: time.Date(2030, 1, 1, 12, 0, 0, 0, zone)}.Now(30*time.Minute).Format(time.RFC3339))
	assert.WithinDuration(t, time.Now(), Process().Now(1000*time.Hour), time.Hour, "the clock of the system")
	process := Process()
	process.Start = time.Time{}
	assert.Equal(t, "1970-01-01T01:00:00Z", process.Now(time.Hour).Format(time.RFC3339))
}
