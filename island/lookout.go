package island

// lookout decides which island looks again when one has left a registry that is closed to new ones.
// Without it all would, at every end of an island, although nearly all find that others can run.
//
// The end of an island that others depend on by its ports and Senders is announced by those. What
// is left are islands that depend on all others. One of them is in a deadlock only if all islands
// are; then each of them has made a statement, or starts a probe by itself when it has. So one has
// to look only if all have, and any one of them is enough: its probe reaches all islands.
//
// It belongs to the registry and is used under its lock.
type lookout struct {
	mute    int                  // islands that start probes and have made no statement
	blocked int                  // statements with Blocked
	onAll   map[*Island]struct{} // islands that start probes and have stated that they depend on all others
}

// publish replaces the statement of an island.
func (r *Registry) publish(i *Island, st *statement) {
	r.mu.Lock()
	present := r.byNumber[i.addr.Island] == i
	if present {
		r.count(i, -1)
	}
	i.prober.Publish(st)
	if present {
		r.count(i, 1)
	}
	r.mu.Unlock()
}

// count adds an island with its present statement, or subtracts it (by is -1).
func (r *Registry) count(i *Island, by int) {
	starts := i.cfg.ProbeAfter > 0
	switch st := i.prober.Published(); {
	case st == nil && starts:
		r.look.mute += by
	case st == nil:
	default:
		if st.Blocked {
			r.look.blocked += by
		}
		switch {
		case !starts || !st.Finding.onAll:
		case by < 0:
			delete(r.look.onAll, i)
		default:
			if r.look.onAll == nil {
				r.look.onAll = map[*Island]struct{}{}
			}
			r.look.onAll[i] = struct{}{}
		}
	}
}

// toLook is the island that looks again after another one has left, or nil. The last island looks
// in any case: its own verdict may be another one now.
func (r *Registry) toLook() *Island {
	if len(r.byNumber) == 1 {
		for _, last := range r.byNumber {
			return last
		}
	}
	if r.look.mute == 0 && r.look.blocked > 0 {
		for any := range r.look.onAll {
			return any
		}
	}
	return nil
}

// hasNoOthers tells whether the registry has no islands but i and those of on.
func (r *Registry) hasNoOthers(i *Island, on []*Island) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(on) < len(r.byNumber)-1 {
		return false
	}
	present := 0
	for _, o := range on {
		if o != i && r.byNumber[o.addr.Island] == o {
			present++
		}
	}
	return present == len(r.byNumber)-1
}
