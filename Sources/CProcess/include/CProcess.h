// prctl(2) takes a variable number of arguments, which Swift cannot call; its Glibc module has no adjtimex(2).

#ifndef CPROCESS_H
#define CPROCESS_H

/// Keeps core dumps and debuggers of the same user away from this process. Returns 0, or -1 with `errno`.
int cprocess_hide_memory(void);

/// Whether the kernel says that a time service keeps the clock right: 1 or 0, or -1 with `errno` if it does not say.
int cprocess_clock_is_kept(void);

#endif
