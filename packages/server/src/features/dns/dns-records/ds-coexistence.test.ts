// DS coexists with the NS of its delegation; the structured types pass create, edit and overwrite unchanged.
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/dns_records'
const post = (body: object) => ({ method: 'POST', path: PATH, body })
const created = (result: object) =>
  ({ status: 200, changes: 1, events: ['records +1'], records: 1, result }) as const

const DIGEST = '2BB183AF5F22588179A53B0A98631FAD1A292118'
const ds = (name: string) => ({
  type: 'DS',
  name,
  data: { key_tag: 1, algorithm: 13, digest_type: 1, digest: DIGEST },
})
const ns = (name: string) => ({ type: 'NS', name, content: 'ns1.example.net' })

scenarios('DS', [
  {
    name: 'beside the NS of a delegation',
    given: [ns('child')],
    send: post(ds('child')),
    expect: created({ name: 'child.example.com', content: `1 13 1 ${DIGEST}`, proxiable: false }),
  },
  {
    name: 'a second NS beside NS and DS',
    given: [ns('child'), ds('child')],
    send: post({ ...ns('child'), content: 'ns2.example.net' }),
    expect: created({ type: 'NS' }),
  },
  {
    name: 'at the apex, without NS records of its own',
    send: post(ds('@')),
    expect: created({ name: 'example.com' }),
  },
  {
    name: 'without NS',
    send: post(ds('child')),
    expect: { status: 400, codes: [19410], pointers: ['/name'] },
  },
  {
    name: 'with NS at another name only',
    given: [ns('child')],
    send: post(ds('a.child')),
    expect: { status: 400, codes: [19410], pointers: ['/name'] },
  },
  {
    name: 'moved away from its NS',
    given: [ns('child'), ds('child')],
    send: { method: 'PATCH', path: `${PATH}/{1}`, body: { name: 'other' } },
    expect: { status: 400, codes: [19410], pointers: ['/name'] },
  },
  {
    name: 'the same DS twice',
    given: [ns('child'), ds('child')],
    send: post(ds('child')),
    expect: { status: 400, codes: [81058] },
  },
  {
    name: 'a batch that creates the delegation first',
    send: { method: 'POST', path: `${PATH}/batch`, body: { posts: [ns('child'), ds('child')] } },
    expect: { status: 200, changes: 1, events: ['records +2'], records: 2 },
  },
])

const SHA256 = 'D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A'
const VALUES: readonly (readonly [type: string, value: object, content: string])[] = [
  ['PTR', { content: 'host.example.net.' }, 'host.example.net'],
  ['SVCB', { data: { priority: 1, target: '.', value: 'alpn=h2' } }, '1 . alpn="h2"'],
  ['HTTPS', { data: { priority: 1, target: '.', value: 'alpn=h2' } }, '1 . alpn="h2"'],
  ['DNSKEY', { data: { flags: 257, protocol: 3, algorithm: 13, public_key: 'AA==' } }, '257 3 13 AA=='],
  ['URI', { priority: 10, data: { weight: 1, target: 'https://example.com/' } }, '1 "https://example.com/"'],
  [
    'NAPTR',
    { data: { order: 1, preference: 2, flags: 'S', service: 'x', regex: '', replacement: 'a.example' } },
    '1 2 "S" "x" "" a.example.',
  ],
  ['SSHFP', { data: { algorithm: 4, type: 2, fingerprint: SHA256 } }, `4 2 ${SHA256.toLowerCase()}`],
  ['TLSA', { data: { usage: 3, selector: 1, matching_type: 1, certificate: SHA256 } }, `3 1 1 ${SHA256}`],
  [
    'SMIMEA',
    { data: { usage: 3, selector: 1, matching_type: 1, certificate: SHA256 } },
    `3 1 1 ${SHA256.toLowerCase()}`,
  ],
  ['CERT', { data: { type: 1, key_tag: 2, algorithm: 8, certificate: 'AQID' } }, '1 2 8 AQID'],
  ['OPENPGPKEY', { content: 'AQID' }, 'AQID'],
  [
    'LOC',
    { content: '37 46 46 N 122 23 35 W 0m' },
    '37 46 46.000 N 122 23 35.000 W 0.00 1.00 10000.00 10.00',
  ],
]

scenarios(
  'each structured type',
  VALUES.flatMap(([type, value, content]): Scenario[] => {
    const record = { type, name: 'x', ...value }
    const one = `${PATH}/{0}`
    return [
      { name: `${type} is created`, send: post(record), expect: created({ type, content }) },
      {
        name: `${type} keeps its value when its comment is edited`,
        given: [record],
        send: { method: 'PATCH', path: one, body: { comment: 'new' } },
        expect: { status: 200, changes: 1, events: ['records -1 +1'], result: { content, comment: 'new' } },
      },
      {
        name: `${type} does not change when it is overwritten with the same value`,
        given: [record],
        send: { method: 'PUT', path: one, body: record },
        expect: { status: 200, result: { content } },
      },
      {
        name: `${type} cannot exist twice`,
        given: [record],
        send: post(record),
        expect: { status: 400, codes: [81058] },
      },
      {
        name: `${type} cannot be proxied`,
        send: post({ ...record, proxied: true }),
        expect: { status: 400, codes: [9004], pointers: ['/proxied'] },
      },
    ]
  }),
)
