package top

// Keys is what the keys do, for the help of the command too.
const Keys = `    arrows, PgUp, PgDn, Home, End   move
    /        search by ID, name or place (Enter searches, Esc leaves it)
    s, S     sort by the next column, the one before
    r        reverse the order
    f        show one state: all, runnable, running, blocked
    Enter    one fiber: stack, variables, what it waits on, the holders, events
    g        what waits for what, with the cycle of a deadlock;
             on a fiber's page, what is connected to it
    i        the islands of the program, and the ports between them
    p        pause the fiber, or resume it
    c        cancel it, after y
    k        kill it, after y
    Esc      back; in the list, end the search
    ?        this help
    q, ^C    quit`
