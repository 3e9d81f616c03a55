// Package waitgraph analyses who waits for whom: it finds a cycle of waiters, and the
// groups of waiters that can only be woken by each other (partial deadlocks).
//
// The caller describes the graph and reads the result; the package knows no scheduler, no
// fiber and no lock. It owns the vertices and edges of one Graph. All its walks are
// iterative, because a chain of a million waiters is a million vertices deep, and take time
// and memory in proportion to vertices plus edges.
//
// It never decides whether an object can wake its waiters: the caller says so when it adds
// the vertex.
//
// Package scheduler uses it for deadlock reports.
package waitgraph
