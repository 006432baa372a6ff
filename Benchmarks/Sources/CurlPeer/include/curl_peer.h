// The six requests of the measured sign-in by bare libcurl, in C: nothing recorded, nothing checked but what the next request
// needs.

#ifndef CURL_PEER_H
#define CURL_PEER_H

/// Signs in once over one connection that is kept. Returns 0 if the last answer is SUCCESS, else the number of the request that
/// went wrong, from 1.
int curl_peer_sign_in(const char *org, const char *login, const char *password);

#endif
