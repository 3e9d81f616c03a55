// Package timelinetest reads timelines in tests, and holds them against the rules of their format: every track
// has a name, its intervals follow each other, every arrow goes from one time slice to another, and the counters
// count the intervals. It
// owns nothing, and never writes.
package timelinetest
