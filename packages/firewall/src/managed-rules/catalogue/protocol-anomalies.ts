// OWASP Protocol Anomalies: missing headers that ordinary clients send, and headers that they do not send.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { expression, owaspGroup, pattern } from './rule-draft.ts'
import { LOWER } from './views.ts'

const tags = ['protocol-anomaly']

export const PROTOCOL_ANOMALIES = owaspGroup(OWASP_GROUP_IDS.protocolAnomalies, [
  {
    legacyId: '1900901',
    ids: ['25887446d97dec129c7cc48a2c22c2f3', '2b7cc66426b24fdeddab4f4c280876a5'],
    description: 'No host, or an empty one',
    level: 1,
    score: 3,
    tags,
    detection: expression('http.host eq ""'),
  },
  {
    legacyId: '1900902',
    ids: ['bbe1b08b017ffea6a3e293c415081548', '14f861bc2aa974beb131100a07bf3b2c'],
    description: 'Host that is an address',
    level: 2,
    score: 3,
    tags,
    detection: pattern(
      ['host'],
      LOWER,
      String.raw`^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$`,
      String.raw`^\[[0-9a-f:.]+\](?::\d+)?$`,
    ),
  },
  {
    legacyId: '1900903',
    ids: ['b7f177a5da5a4fab1d8fb0aee24c0803', 'e34f5e436de66ac74e7f060525adbc7b'],
    description: 'No user agent',
    level: 2,
    score: 2,
    tags,
    detection: expression('http.user_agent eq ""'),
  },
  {
    legacyId: '1900904',
    ids: ['db141891dc712a2ef712919ee641a5ae', '10f755b56af1806770427ef13b173ca4'],
    description: 'No accepted types from a client that says it is a browser',
    level: 2,
    score: 2,
    tags,
    detection: expression(
      'starts_with(http.user_agent, "Mozilla/") and not has_key(http.request.headers, "accept") and http.request.method ne "OPTIONS"',
    ),
  },
  {
    legacyId: '1900905',
    ids: ['b9d9bff3459e110b337231851bf9346f', 'e3292c1fcf5531b69a4dd0e8d418ab1a'],
    description: 'Body without its type',
    level: 2,
    score: 2,
    tags,
    detection: expression(
      'http.request.body.size gt 0 and not has_key(http.request.headers, "content-type")',
    ),
  },
  {
    legacyId: '1900906',
    ids: ['b09d6873d28d813c97c2bfeaa5db20af', '608c7b17214388f448dbfdcbe97ee368'],
    description: 'Connection header that says two things',
    level: 1,
    score: 3,
    tags,
    detection: pattern(
      ['header:connection'],
      LOWER,
      String.raw`\b(?:keep-alive|close) ?, ?(?:keep-alive|close)\b`,
    ),
  },
  {
    legacyId: '1900907',
    ids: ['1f8526a6d25089dc18b38d30fcd00d54', 'a97d3ca4770c65f6ab20771f9a59d945'],
    description: 'Client that says it is a browser of last century',
    level: 3,
    score: 2,
    tags,
    detection: pattern(
      ['user-agent'],
      LOWER,
      String.raw`^mozilla/[1-4]\.\d+(?: \((?:compatible|windows)[^)]{0,60}\))?$`,
      'msie [1-6]\\.',
    ),
  },
  {
    legacyId: '1900908',
    ids: ['849493580022e51e41da5cc2470856a5', '12843ce145e0ac8c93559b1f9a308577'],
    description: 'Header of a proxy that begins an application on some servers',
    level: 1,
    score: 5,
    tags: ['protocol-anomaly', 'ssrf'],
    detection: pattern(['header-names'], LOWER, '^proxy$'),
  },
  {
    legacyId: '1900909',
    ids: ['ca86c791530f18060122ce85315cb218', '3a39c81e98d211a324a85617a3f2862a'],
    description: 'Encodings accepted, but no types and no languages',
    level: 4,
    score: 2,
    tags,
    detection: expression(
      'has_key(http.request.headers, "accept-encoding") and not has_key(http.request.headers, "accept") and not has_key(http.request.headers, "accept-language")',
    ),
  },
])
