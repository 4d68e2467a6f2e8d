// OWASP Protocol Violations: requests that are not valid HTTP, or contain needless encoding.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { expression, owaspGroup, pattern } from './rule-draft.ts'
import { AS_SENT, LOWER } from './views.ts'

export const PROTOCOL_VIOLATIONS = owaspGroup(
  { id: OWASP_GROUP_IDS.protocolViolations, tags: ['protocol-violation'] },
  [
    {
      ids: ['1900801', 'b8d76532f4ebcc9bb9e6750fd82b580d', 'f1d2c32d634c1720badf6e2e1987514d'],
      description: 'Percent sign that begins no octet in the target',
      weight: { level: 2, score: 3 },
      detection: pattern(['uri'], AS_SENT)`%(?:$|[^0-9a-fA-Fu]|[0-9a-fA-F](?:$|[^0-9a-fA-F]))`,
    },
    {
      ids: ['1900802', '57599fcbf6331557ef5d1490f3a3632b', 'e4bdc7a8cd69636dcdbcf5e0a1110cf4'],
      description: 'Null octet in the target, the headers or a form',
      weight: { level: 1, score: 5 },
      detection: pattern(['uri', 'args', 'arg-names', 'headers', 'cookies'], ['url-decode'])`\x00`,
    },
    {
      ids: ['1900803', '4388774c798fc4fe5659c135273006e1', '13e6fe09b740eb039d97400385fb95eb'],
      description: 'Control character in the target or in a header',
      weight: { level: 2, score: 3 },
      detection: pattern(['uri', 'headers', 'user-agent', 'referer'], AS_SENT)`
      [\x01-\x08]
      [\x0b\x0c\x0e-\x12]
      [\x13-\x1f\x7f]
    `,
    },
    {
      ids: ['1900804', 'bf557f684f3cf06f4d3d3e4e985f9547', '43db90019828c2647aff558d03615f48'],
      description: 'Length of the body that is no number, or several lengths',
      weight: { level: 1, score: 5 },
      tags: ['protocol-violation', 'request-smuggling'],
      detection: pattern(['header:content-length'], AS_SENT)`
      [^0-9]
      ^$
    `,
    },
    {
      ids: ['1900805', '17a197128520ff4cf6be1d61e6c5bf60', 'ca16ac6c145ed833cc7a03351ed72981'],
      description: 'Length of the body and transfer in chunks at once, or an odd transfer',
      weight: { level: 1, score: 5 },
      tags: ['protocol-violation', 'request-smuggling'],
      detection: expression`
      (has_key(http.request.headers, "transfer-encoding") and has_key(http.request.headers, "content-length")) or (has_key(http.request.headers, "transfer-encoding") and not any(lower(http.request.headers["transfer-encoding"][*])[*] in {"chunked" "gzip, chunked" "identity" "trailers"}))
    `,
    },
    {
      ids: ['1900806', 'cf3551ae186221336c8ce579077939ae', 'e70cf9437d33e3674f00072648b05cbc'],
      description: 'Start of another request in the body or in an argument',
      weight: { level: 1, score: 5 },
      tags: ['protocol-violation', 'request-smuggling'],
      detection: pattern(['args', 'body'], ['url-decode'])`
      [\r\n](?:GET|POST|PUT|HEAD|OPTIONS|DELETE|CONNECT) /?\S{0,200} HTTP/[12]
    `,
    },
    {
      ids: ['1900807', 'ef3457fb1d3a9ea73669f66dc4d9925d', '98ece6fb351b3562ec797b1809e45836'],
      description: 'Body with GET or HEAD',
      weight: { level: 2, score: 2 },
      detection: expression`http.request.method in {"GET" "HEAD"} and http.request.body.size gt 0`,
    },
    {
      ids: ['1900808', 'a1a00615e2aa1355a597c131493f5aa8', 'aebdce3d791e2a6cf25f13924cca0d65'],
      description: 'Ranges that overlap or are many',
      weight: { level: 1, score: 4 },
      detection: pattern(['header:range', 'header:request-range'], LOWER)`
      ^bytes ?= ?(?:[\d-]+ ?, ?){5}
      ^bytes=(?:0-0?,){2}
    `,
    },
    {
      ids: ['1900809', '54173e8fc0d99240afe0eab75ffe21d2', 'd373381802896eca479adbd2edfc6523'],
      description: 'UTF-8 that is longer than needed, or full-width letters',
      weight: { level: 1, score: 4 },
      detection: pattern(['uri', 'cookies'], LOWER)`
      %c[01]%[89ab][0-9a-f]
      %u00[2-7][0-9a-f]
      %uff[0-5][0-9a-f]
      %ef%bc%(?:87|9c|8f|82)
      %e0%80%[89ab]
    `,
    },
    {
      ids: ['1900810', '9f4958acc9090d5440f940a4a33ad6d1', '90c09bc13ab75fd1cd655c4dbddb7037'],
      description: 'Octets encoded twice',
      weight: { level: 2, score: 3 },
      detection: pattern(['uri'], LOWER)`%25(?:2[0-9a-f]|3[0-9a-f]|5[cbd]|7[bcd]|00|0[ad])`,
    },
    {
      ids: ['1900811', 'd5ede7c9a985313606f0c75cc32b4030', '374ed4c8a20c00b41dfbb0f160b21bee'],
      description: 'Upload whose file name is a path or has quotes and separators',
      weight: { level: 1, score: 4 },
      detection: pattern(['filenames'], AS_SENT)`
      \.\.[/\\]
      ^(?:/|[A-Za-z]:\\)(?:etc|var|usr|windows|inetpub|home|root)
      [;"\x00<>|]
    `,
    },
    {
      ids: ['1900812', '04cc132de19357674e0b118db7497275', 'dce30742793479b1aed08b8bb97e9260'],
      description: 'Octets that are no UTF-8 in an argument',
      weight: { level: 3, score: 2 },
      detection: pattern(['args'], AS_SENT)`
      [\xc0\xc1\xf5-\xff]
      [\xc2-\xdf](?:$|[\x00-\x7f])
    `,
    },
  ],
)
