// What the demo starts with: one zone, with a record of every type.
export const DEMO_ZONE = 'example.com'

export const DEMO_RECORDS = [
  { type: 'A', name: '@', content: '192.0.2.10', comment: 'web server' },
  { type: 'AAAA', name: '@', content: '2001:db8::10' },
  { type: 'A', name: 'www', content: '192.0.2.10', tags: ['team:web'] },
  { type: 'A', name: '*.preview', content: '192.0.2.20', comment: 'any name below preview' },
  { type: 'CNAME', name: 'blog', content: 'www.example.com', ttl: 3600 },
  { type: 'MX', name: '@', content: 'mail.example.com', priority: 10 },
  { type: 'A', name: 'mail', content: '192.0.2.25' },
  { type: 'TXT', name: '@', content: '"v=spf1 mx -all"', ttl: 3600 },
  { type: 'TXT', name: '_dmarc', content: '"v=DMARC1; p=reject"', ttl: 3600 },
  {
    type: 'SRV',
    name: '_imaps._tcp',
    data: { priority: 10, weight: 5, port: 993, target: 'mail.example.com' },
  },
  { type: 'CAA', name: '@', data: { flags: 0, tag: 'issue', value: 'ca.example.net' } },
  { type: 'NS', name: 'lab', content: 'ns1.lab.example.com', comment: 'delegated' },
  { type: 'A', name: 'ns1.lab', content: '192.0.2.53', comment: 'glue of lab' },
] as const
