import { scenarios } from '../../testing/scenarios.ts'
scenarios('smoke', [
  { name: 'create', send: { method: 'POST', path: '/zones/{zone}/dns_records', body: { type: 'A', name: 'www', content: '192.0.2.1' } }, expect: { status: 200, changes: 1, events: ['records +1'], records: 1, result: { name: 'www.example.com' } } },
  { name: 'bad', send: { method: 'POST', path: '/zones/{zone}/dns_records', body: { type: 'A', name: 'www', content: '192.0.2.256' } }, expect: { status: 400, codes: [9005], pointers: ['/content'] } },
])
