/* Between call.go and enter.c. */
#ifndef SELVAGE_ENTER_H
#define SELVAGE_ENTER_H

#include "selvage_native.h"

int selvage_enter(selvage_ctx ctx, uint32_t slot, void *fn, void *arg);
void selvage_abandon(void);

#endif
