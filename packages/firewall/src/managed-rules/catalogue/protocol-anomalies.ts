// OWASP Protocol Anomalies: missing headers that ordinary clients send, and headers that they do not send.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { expression, owaspGroup, pattern } from './rule-draft.ts'
import { LOWER } from './views.ts'

export const PROTOCOL_ANOMALIES = owaspGroup(
  { id: OWASP_GROUP_IDS.protocolAnomalies, tags: ['protocol-anomaly'] },
  [
    {
      ids: ['1900901', '25887446d97dec129c7cc48a2c22c2f3', '2b7cc66426b24fdeddab4f4c280876a5'],
      description: 'No host, or an empty one',
      weight: { level: 1, score: 3 },
      detection: expression`http.host eq ""`,
    },
    {
      ids: ['1900902', 'bbe1b08b017ffea6a3e293c415081548', '14f861bc2aa974beb131100a07bf3b2c'],
      description: 'Host that is an address',
      weight: { level: 2, score: 3 },
      detection: pattern(['host'], LOWER)`
      ^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$
      ^\[[0-9a-f:.]+\](?::\d+)?$
    `,
    },
    {
      ids: ['1900903', 'b7f177a5da5a4fab1d8fb0aee24c0803', 'e34f5e436de66ac74e7f060525adbc7b'],
      description: 'No user agent',
      weight: { level: 2, score: 2 },
      detection: expression`http.user_agent eq ""`,
    },
    {
      ids: ['1900904', 'db141891dc712a2ef712919ee641a5ae', '10f755b56af1806770427ef13b173ca4'],
      description: 'No accepted types from a client that says it is a browser',
      weight: { level: 2, score: 2 },
      detection: expression`
      starts_with(http.user_agent, "Mozilla/") and not has_key(http.request.headers, "accept") and http.request.method ne "OPTIONS"
    `,
    },
    {
      ids: ['1900905', 'b9d9bff3459e110b337231851bf9346f', 'e3292c1fcf5531b69a4dd0e8d418ab1a'],
      description: 'Body without its type',
      weight: { level: 2, score: 2 },
      detection: expression`http.request.body.size gt 0 and not has_key(http.request.headers, "content-type")`,
    },
    {
      ids: ['1900906', 'b09d6873d28d813c97c2bfeaa5db20af', '608c7b17214388f448dbfdcbe97ee368'],
      description: 'Connection header that says two things',
      weight: { level: 1, score: 3 },
      detection: pattern(['header:connection'], LOWER)`\b(?:keep-alive|close) ?, ?(?:keep-alive|close)\b`,
    },
    {
      ids: ['1900907', '1f8526a6d25089dc18b38d30fcd00d54', 'a97d3ca4770c65f6ab20771f9a59d945'],
      description: 'Client that says it is a browser of last century',
      weight: { level: 3, score: 2 },
      detection: pattern(['user-agent'], LOWER)`
      ^mozilla/[1-4]\.\d+(?: \((?:compatible|windows)[^)]{0,60}\))?$
      msie [1-6]\.
    `,
    },
    {
      ids: ['1900908', '849493580022e51e41da5cc2470856a5', '12843ce145e0ac8c93559b1f9a308577'],
      description: 'Header of a proxy that begins an application on some servers',
      weight: { level: 1, score: 5 },
      tags: ['protocol-anomaly', 'ssrf'],
      detection: pattern(['header-names'], LOWER)`^proxy$`,
    },
    {
      ids: ['1900909', 'ca86c791530f18060122ce85315cb218', '3a39c81e98d211a324a85617a3f2862a'],
      description: 'Encodings accepted, but no types and no languages',
      weight: { level: 4, score: 2 },
      detection: expression`
      has_key(http.request.headers, "accept-encoding") and not has_key(http.request.headers, "accept") and not has_key(http.request.headers, "accept-language")
    `,
    },
  ],
)
