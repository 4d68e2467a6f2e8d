// Mistakes in SPF, DKIM and DMARC cause notices; the record is stored anyway.
import { scenarios } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/dns_records'
const txt = (name: string, content: string) => ({ type: 'TXT', name, content })
const post = (name: string, content: string) => ({ method: 'POST', path: PATH, body: txt(name, content) })
const stored = { status: 200, changes: 1, events: ['records +1'], records: 1 } as const

scenarios('e-mail authentication in TXT', [
  { name: 'a good SPF policy', send: post('@', 'v=spf1 mx -all'), expect: stored },
  { name: '+all', send: post('@', 'v=spf1 +all'), expect: { ...stored, messages: [19020] } },
  {
    name: 'two mistakes cause two messages',
    send: post('@', 'v=spf1 foo +all'),
    expect: { ...stored, messages: [19020, 19020] },
  },
  {
    name: 'a second SPF policy',
    given: [txt('@', '"v=spf1 mx -all"')],
    send: post('@', 'V=SPF1 -all'),
    expect: { ...stored, messages: [19020] },
  },
  {
    name: 'a second SPF policy at another name',
    given: [txt('@', 'v=spf1 mx -all')],
    send: post('mail', 'v=spf1 -all'),
    expect: stored,
  },
  {
    name: 'editing the policy itself is not a second policy',
    given: [txt('@', 'v=spf1 mx -all')],
    send: { method: 'PATCH', path: `${PATH}/{0}`, body: { content: 'v=spf1 a -all' } },
    expect: { status: 200, changes: 1, events: ['records -1 +1'] },
  },
  {
    name: 'a DKIM key that does not parse',
    send: post('s1._domainkey', 'v=DKIM1; p=AQID'),
    expect: { ...stored, messages: [19021] },
  },
  {
    name: 'a DMARC policy with an unknown tag',
    send: post('_dmarc', 'v=DMARC1; p=none; foo=bar'),
    expect: { ...stored, messages: [19022] },
  },
  {
    name: 'a mistake that a string boundary hides',
    send: post('@', '"v=spf1 " "+all"'),
    expect: { ...stored, messages: [19020] },
  },
  {
    name: 'the number of messages is limited',
    send: post('@', `v=spf1 ${'x '.repeat(20)}-all`),
    expect: { ...stored, messages: Array<number>(10).fill(19020) },
  },
  { name: 'any other text', send: post('@', 'google-site-verification=abc'), expect: stored },
])
