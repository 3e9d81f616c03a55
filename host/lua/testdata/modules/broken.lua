return = broken
