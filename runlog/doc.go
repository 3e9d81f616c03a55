// Package runlog writes what a scheduler reports to log/slog: fibers that failed and were not joined, deadlocks
// and leaks with the fibers and the cycle, quotas that were used up, results that no fiber took, and the end of a run.
//
// A record of a fiber has the attributes fiber (its ID), name, site (where it is in the program) and reason, as far
// as they are known.
//
// What this package never does: format text, keep a record, call a scheduler from a hook of it.
package runlog
