#include "CProcess.h"

#include <sys/prctl.h>

int cprocess_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
