package island

import "slices"

// An owner that is awake looks at some bells' news by itself, at every turn and as long as it
// stays awake for more, so that nobody has to ring: what crosses to it then is the news and
// nothing else. Before it goes to sleep it says that it does not look any more, and looks
// once again; whoever brings news looks whether he must ring when they are there. So one of
// the two sees the other (docs/design.md#defects: wake lost between try and register).

// mostWatched bounds what an owner looks at in vain.
const mostWatched = 4

// watch has the owner look at the bell's news, if it does not look at others enough. A loop
// that never sleeps by Park would not say when it stops: nothing is watched for it.
func (i *Island) watch(b *bell) {
	if i.parks && len(i.watched) < mostWatched && !b.watched.Load() {
		b.watched.Store(true)
		i.watched = append(i.watched, b)
	}
}

// unwatch has it rung again.
func (i *Island) unwatch(b *bell) {
	if at := slices.Index(i.watched, b); at >= 0 {
		b.watched.Store(false)
		i.watched = slices.Delete(i.watched, at, at+1)
	}
}

// serveWatched serves what has come. To serve can end the watch over any.
func (i *Island) serveWatched() {
	for k := len(i.watched) - 1; k >= 0; k-- {
		if k < len(i.watched) && i.watched[k].came() {
			i.watched[k].serve()
		}
	}
}

// Came is for the loop, while it stays awake.
func (i *Island) Ready() bool {
	for _, b := range i.watched {
		if b.came() {
			return !i.deadlocked()
		}
	}
	return false
}

// Doze has everything rung from now on.
func (i *Island) PrepareSleep() {
	for _, b := range i.watched {
		b.watched.Store(false)
		if b.came() {
			b.ring()
		}
	}
	clear(i.watched) // who is gone is not kept alive
	i.watched = i.watched[:0]
}
