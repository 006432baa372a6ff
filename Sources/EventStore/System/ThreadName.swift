import Glibc

/// Names the calling thread for debuggers and `top`; 15 bytes at most. Written to its file in /proc: Foundation's
/// `Thread.name` leaves the system's name inherited from the starting thread, and `pthread_setname_np` is not visible
/// to Swift.
func nameThisThread(_ name: String) {
  let descriptor = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  // SAFETY: the text outlives the call, which only reads it.
  unsafe _ = write(descriptor, name, name.utf8.count)
  _ = close(descriptor)
}
