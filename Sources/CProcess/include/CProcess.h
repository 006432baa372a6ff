// prctl(2) takes a variable number of arguments, which Swift cannot call.

#ifndef CPROCESS_H
#define CPROCESS_H

/// Keeps core dumps and debuggers of the same user away from this process. Returns 0, or -1 with `errno`.
int cprocess_hide_memory(void);

#endif
