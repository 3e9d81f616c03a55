/* What must happen in the end at a mutex. Built with -DLIVE, run with pan -a -N claim. */

/* I9, I11: who waits gets the lock or an error, if its owners let go again and again. */
never waiter_is_served { SERVED(st[0] == WAITS, did == LETGO) }
/* I9, I12: no wait for a lock that is poisoned lasts. */
never poison_is_heard { SERVED(st[0] == WAITS, poisoned) }
/* I12: no wait for a dead owner lasts. */
never death_is_heard { SERVED(st[0] == WAITS, owner != NIL && st[owner] == DEAD) }
#if NC > 0
/* I9, I11: who waits for a signal is called, if there are signals again and again. */
never sleeper_is_called { SERVED(asleep??[0], did == SIGNALLED) }
#endif
