// How octoDNS's provider writes each type's value to a request and reads it from a record. Names in octoDNS end in ".".

export type Value = string | Readonly<Record<string, string | number>>

export interface ProviderRecord {
  readonly id: string
  readonly name: string
  readonly type: RecordSetType
  readonly ttl: number
  readonly content: string
  readonly priority?: number
  readonly data?: Readonly<Record<string, string | number>>
}

interface ValueCodec {
  readonly write: (value: Value, name: string, zone: string) => Readonly<Record<string, unknown>>
  readonly read: (record: ProviderRecord) => Value
}

const verbatim: ValueCodec = { write: (value) => ({ content: value }), read: (record) => record.content }
const host: ValueCodec = { ...verbatim, read: (record) => dotted(record.content) }

/** Types whose values are sent as `data`, with the same member names. */
const inData = (...members: readonly string[]): ValueCodec => ({
  write: (value) => ({ data: value }),
  read: (record) => Object.fromEntries(members.map((member) => [member, record.data?.[member] ?? 'missing'])),
})

export const VALUE_CODECS = {
  A: verbatim,
  AAAA: verbatim,
  CAA: inData('flags', 'tag', 'value'),
  CNAME: host,
  HTTPS: {
    // The provider writes the space before the parameters.
    write: (value) => {
      const { svcpriority, targetname, svcparams } = members(value)
      return { data: { priority: svcpriority, target: targetname, value: ` ${svcparams}` } }
    },
    read: ({ content }) => {
      const [priority, target, ...parameters] = content.split(' ')
      return { svcpriority: Number(priority), targetname: target ?? '', svcparams: parameters.join(' ') }
    },
  },
  LOC: inData(
    'lat_degrees',
    'lat_minutes',
    'lat_seconds',
    'lat_direction',
    'long_degrees',
    'long_minutes',
    'long_seconds',
    'long_direction',
    'altitude',
    'size',
    'precision_horz',
    'precision_vert',
  ),
  MX: {
    write: (value) => {
      const { preference, exchange } = members(value)
      return { priority: preference, content: exchange }
    },
    read: (record) => ({ preference: record.priority ?? 'missing', exchange: dotted(record.content) }),
  },
  NS: host,
  PTR: host,
  SRV: {
    write: (value, name, zone) => {
      const { priority, weight, port, target } = members(value)
      const [service, proto, ...below] = name.split('.')
      const owner = below.length === 0 ? zone : below.join('.')
      return {
        data: { service, proto, name: owner, priority, weight, port, target: undotted(String(target)) },
      }
    },
    read: ({ data }) => ({
      priority: data?.['priority'] ?? 'missing',
      weight: data?.['weight'] ?? 'missing',
      port: data?.['port'] ?? 'missing',
      target: dotted(String(data?.['target'])),
    }),
  },
  TLSA: inData('usage', 'selector', 'matching_type', 'certificate'),
  TXT: {
    write: (value) => ({ content: `"${String(value).replaceAll('\\;', ';')}"` }),
    read: ({ content }) => content.replace(/^"(.*)"$/, '$1').replaceAll(';', '\\;'),
  },
} satisfies Record<string, ValueCodec>

export type RecordSetType = keyof typeof VALUE_CODECS

function dotted(name: string): string {
  return name === '.' ? '.' : `${name}.`
}

function undotted(name: string): string {
  return name === '.' ? '.' : name.replace(/\.$/, '')
}

function members(value: Value): Readonly<Record<string, string | number>> {
  if (typeof value === 'string') throw new TypeError(`${value} has no members`)
  return value
}
