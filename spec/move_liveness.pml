/* What must happen in the end to who has moved. Built with -DLIVE, run with pan -a -N claim. */

/* I9: a fiber that has moved runs, if its new scheduler goes on and nobody moves it again. */
never moved_runs { SERVED(st[0] == READY && home[0] == 0 && IN(0, 1), did == 2) }
/* I9, I12: who waits at home for a fiber that has ended elsewhere is told, if home goes on. */
never end_is_heard { SERVED(st[0] == JOINS && IN(0, 0) && st[goal[0]] == OVER, did == 1) }
