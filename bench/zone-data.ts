// The zone that all servers serve in bench/dns: half A, a fifth AAAA, a tenth each of TXT, CNAME and MX.
export interface BenchRecord {
  readonly type: 'A' | 'AAAA' | 'TXT' | 'CNAME' | 'MX'
  /** Relative to the zone. */
  readonly name: string
  readonly content: string
  readonly priority?: number
}

export const ZONE = 'bench.example.com'

const TYPES = ['A', 'A', 'A', 'A', 'A', 'AAAA', 'AAAA', 'TXT', 'CNAME', 'MX'] as const
const TTL_SECONDS = 300
/** One query in twenty is for a name that does not exist. */
const MISSES_IN = 20

export function benchRecords(count: number): BenchRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const type = TYPES[index % TYPES.length] ?? 'A'
    const name = `h${index}`
    switch (type) {
      case 'A':
        return { type, name, content: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}` }
      case 'AAAA':
        return {
          type,
          name,
          content: `2001:db8::${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}`,
        }
      case 'TXT':
        return { type, name, content: `"benchmark record number ${index}"` }
      case 'CNAME':
        return { type, name, content: 'target.example.net' }
      case 'MX':
        return { type, name, content: 'mail.example.net', priority: 10 }
    }
  })
}

/** The same records as a zone file, for the servers that read one. */
export function zoneFile(records: readonly BenchRecord[]): string {
  const head = [
    `$ORIGIN ${ZONE}.`,
    `$TTL ${TTL_SECONDS}`,
    `@ SOA ns1.${ZONE}. hostmaster.${ZONE}. 1 10800 3600 604800 1800`,
    `@ NS ns1.${ZONE}.`,
    'ns1 A 127.0.0.1',
  ]
  const lines = records.map(({ type, name, content, priority }) => {
    const host = type === 'CNAME' || type === 'MX' ? `${content}.` : content
    return `${name} ${type} ${priority === undefined ? host : `${priority} ${host}`}`
  })
  return [...head, ...lines, ''].join('\n')
}

/** At most `most` queries for names across the zone in dnsperf's format, in a mixed but reproducible order. */
export function questions(records: readonly BenchRecord[], most = records.length): string {
  const stride = 7919 // a prime that does not divide the number of records: visits each once
  const lines = Array.from({ length: Math.min(most, records.length) }, (_, index) => {
    const record = records[(index * stride) % records.length]
    if (record === undefined) return ''
    return index % MISSES_IN === 0 ? `none-${record.name}.${ZONE} A` : `${record.name}.${ZONE} ${record.type}`
  })
  return `${lines.join('\n')}\n`
}
