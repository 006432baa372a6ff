#include "curl_peer.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

static char answer[1 << 16];
static size_t length;

static size_t take(char *bytes, size_t size, size_t count, void *unused) {
  (void)unused;
  size_t more = size * count;
  if (length + more >= sizeof answer) return 0;
  memcpy(answer + length, bytes, more);
  length += more;
  answer[length] = 0;
  return more;
}

/// Copies the text between `before` and the next quote, searched from `place`. Returns 0 if it is not there.
static int between(const char *place, const char *before, char *out, size_t room) {
  const char *start = place ? strstr(place, before) : NULL;
  if (!start) return 0;
  start += strlen(before);
  const char *end = strchr(start, '"');
  if (!end || (size_t)(end - start) >= room) return 0;
  memcpy(out, start, (size_t)(end - start));
  out[end - start] = 0;
  return 1;
}

static int post(CURL *curl, const char *url, const char *body) {
  length = 0;
  answer[0] = 0;
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  return curl_easy_perform(curl) == CURLE_OK;
}

/// The `verify` link of the factor of this type.
static int verify_link(const char *type, char *out, size_t room) {
  char member[64];
  snprintf(member, sizeof member, "\"factorType\":\"%s\"", type);
  const char *factor = strstr(answer, member);
  const char *verify = factor ? strstr(factor, "\"verify\":{") : NULL;
  return between(verify, "\"href\":\"", out, room);
}

static int link_named(const char *name, char *out, size_t room) {
  char member[64];
  snprintf(member, sizeof member, "\"%s\":{", name);
  const char *links = NULL;
  // The transaction's own links stand last.
  for (const char *next = strstr(answer, "\"_links\":{"); next; next = strstr(next + 1, "\"_links\":{")) links = next;
  return between(links ? strstr(links, member) : NULL, "\"href\":\"", out, room);
}

int curl_peer_sign_in(const char *org, const char *login, const char *password) {
  static CURL *curl;
  if (!curl) {
    curl = curl_easy_init();
    struct curl_slist *headers = NULL;
    headers = curl_slist_append(headers, "Content-Type: application/json");
    headers = curl_slist_append(headers, "Accept: application/json");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  }
  char url[512], body[1024], token[256];
  snprintf(url, sizeof url, "%s/api/v1/authn", org);
  snprintf(body, sizeof body, "{\"username\":\"%s\",\"password\":\"%s\"}", login, password);
  if (!post(curl, url, body) || !between(answer, "\"stateToken\":\"", token, sizeof token)) return 1;
  if (!verify_link("sms", url, sizeof url)) return 1;
  snprintf(body, sizeof body, "{\"stateToken\":\"%s\"}", token);
  if (!post(curl, url, body) || !link_named("next", url, sizeof url)) return 2;
  char back[512];
  if (!link_named("prev", back, sizeof back)) return 2;
  snprintf(body, sizeof body, "{\"passCode\":\"nonsense\",\"stateToken\":\"%s\"}", token);
  if (!post(curl, url, body) || !strstr(answer, "\"errorCode\"")) return 3;
  snprintf(body, sizeof body, "{\"stateToken\":\"%s\"}", token);
  if (!post(curl, back, body) || !verify_link("push", url, sizeof url)) return 4;
  if (!post(curl, url, body) || !link_named("next", url, sizeof url)) return 5;
  if (!post(curl, url, body) || !strstr(answer, "\"SUCCESS\"")) return 6;
  return 0;
}
