/* What must happen in the end at a channel. Built with -DLIVE, run with pan -a -N claim. */

#define WANTS(k) (st[0] == WAITS && (first[0] == (k) || second[0] == (k)))

/* I9, I11: who waits to receive is served, if there is a send again and again. */
never receiver_is_served { SERVED(WANTS(1), did == SEND_DONE) }
/* I9, I11: who waits to send is served, if there is a receive again and again. */
never sender_is_served { SERVED(WANTS(0), did == RECV_DONE) }
/* I9: no wait at a closed channel lasts. */
never close_is_heard { SERVED(WANTS(0) || WANTS(1), closed[0]) }
