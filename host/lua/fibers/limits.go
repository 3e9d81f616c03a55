package fibers

import (
	"math"
	"time"

	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/wait"
)

// limits are the options of a server that limit its clients. An absent one is 0, which is the
// default of the server.
func (o options) limits() fiberio.ServerConfig {
	return fiberio.ServerConfig{
		ReadHeaderTimeout: o.limitOfTime("read_header_timeout"),
		IdleTimeout:       o.limitOfTime("idle_timeout"),
		BodyTimeout:       o.limitOfTime("body_timeout"),
		WriteTimeout:      o.limitOfTime("write_timeout"),
		MaxConnections:    o.wholeLimit("max_connections", "connections"),
		MinRate:           o.wholeLimit("min_rate", "bytes"),
		MaxBody:           o.wholeLimit("max_body", "bytes"),
		MaxBodies:         o.wholeLimit("max_bodies", "bytes"),
	}
}

// limitOfTime is a number of seconds; math.huge is no limit, which is -1.
func (o options) limitOfTime(name string) time.Duration {
	n, limited := o.limit(name, "seconds")
	if !limited {
		return time.Duration(n)
	}
	d, err := wait.Seconds(n)
	if err != nil {
		o.refuse(name, plain(err))
	}
	return max(d, 1)
}

// wholeLimit is a whole number; math.huge is no limit, which is -1.
func (o options) wholeLimit(name, unit string) int64 {
	n, limited := o.limit(name, unit)
	if limited && (n != math.Trunc(n) || n >= math.MaxInt64) {
		o.refuse(name, "whole number of "+unit+" expected, got "+glua.LNumber(n).String())
	}
	return int64(n)
}

// limit is a number above 0; otherwise it returns 0 for an absent one, and -1 for math.huge.
func (o options) limit(name, unit string) (n float64, limited bool) {
	switch v := o.get(name).(type) {
	case *glua.LNilType:
		return 0, false
	case glua.LNumber:
		if v >= math.MaxFloat64 { // which math.huge is in gopher-lua
			return -1, false
		}
		if v > 0 {
			return float64(v), true
		}
		o.refuse(name, "number of "+unit+" above 0, or math.huge for no limit, expected, got "+v.String())
	default:
		o.refuse(name, "number of "+unit+" expected, got "+typeName(v))
	}
	return 0, false
}
