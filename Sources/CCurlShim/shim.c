// Everything is inline in the header; this file makes the module a target.
#include "CCurlShim.h"
