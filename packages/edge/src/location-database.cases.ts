// Writes small databases in MaxMind's format (https://maxmind.github.io/MaxMind-DB/), version 2.0 with records of 24 bits.

type Value =
  | string
  | number
  | boolean
  | { readonly double: number }
  | readonly Value[]
  | { readonly [name: string]: Value }

const TYPES = { double: 3, string: 2, uint16: 5, uint32: 6, map: 7, array: 11, boolean: 14 } as const

function head(type: number, size: number): Buffer {
  const [low, more] = size < 29 ? [size, []] : [29, [size - 29]]
  return Buffer.from(type <= 7 ? [(type << 5) | low, ...more] : [low, type - 7, ...more])
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([head(TYPES.string, text.length), text])
  }
  if (typeof value === 'boolean') return head(TYPES.boolean, Number(value))
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return value <= 0xff_ff
      ? Buffer.concat([head(TYPES.uint16, 2), bytes.subarray(2)])
      : Buffer.concat([head(TYPES.uint32, 4), bytes])
  }
  if (Array.isArray(value))
    return Buffer.concat([head(TYPES.array, value.length), ...(value as readonly Value[]).map(encode)])
  if (typeof (value as { double?: number }).double === 'number') {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleBE((value as { double: number }).double)
    return Buffer.concat([head(TYPES.double, 8), bytes])
  }
  const members = Object.entries(value as Record<string, Value>)
  return Buffer.concat([
    head(TYPES.map, members.length),
    ...members.flatMap(([name, one]) => [encode(name), encode(one)]),
  ])
}

interface Node {
  readonly next: [Node | number | undefined, Node | number | undefined]
}

/** @param networks by their bits as text, from the first bit of an address of version 6. */
export function writeDatabase(networks: Readonly<Record<string, Value>>): Buffer {
  const root: Node = { next: [undefined, undefined] }
  const data: Buffer[] = []
  let size = 0
  for (const [bits, value] of Object.entries(networks)) {
    let node = root
    for (const bit of bits.slice(0, -1)) {
      const side = Number(bit)
      const next = node.next[side]
      if (typeof next === 'number') throw new Error('a network is within another one')
      const child: Node = next ?? { next: [undefined, undefined] }
      node.next[side] = child
      node = child
    }
    node.next[Number(bits.at(-1))] = size
    const encoded = encode(value)
    data.push(encoded)
    size += encoded.length
  }
  const nodes = nodesOf(root)
  const numbers = new Map(nodes.map((node, number) => [node, number]))
  const tree = Buffer.alloc(nodes.length * 6)
  for (const [number, { next }] of nodes.entries())
    for (const side of [0, 1] as const) {
      const one = next[side]
      const record =
        one === undefined
          ? nodes.length
          : typeof one === 'number'
            ? nodes.length + 16 + one
            : numbers.get(one)
      tree.writeUIntBE(record ?? nodes.length, number * 6 + side * 3, 3)
    }
  const metadata = encode({
    node_count: nodes.length,
    record_size: 24,
    ip_version: 6,
    database_type: 'Test',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    description: { en: 'test' },
  })
  const marker = Buffer.from('\u00ab\u00cd\u00efMaxMind.com', 'latin1')
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata])
}

function nodesOf(root: Node): readonly Node[] {
  const found = [root]
  for (const { next } of found) for (const one of next) if (typeof one === 'object') found.push(one)
  return found
}

/** `192.0.2.0/24` as the bits of an address of version 6. */
export function bitsOf(network: string): string {
  const [address = '', length = '0'] = network.split('/')
  const bits = address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
  return '0'.repeat(96) + bits.slice(0, Number(length))
}

export const PLACES = {
  [bitsOf('192.0.2.0/24')]: {
    city: { names: { en: 'Zürich' } },
    continent: { code: 'EU' },
    country: { iso_code: 'CH', names: { en: 'Switzerland' } },
    location: { latitude: { double: 47.25 }, longitude: { double: 8.5 }, time_zone: 'Europe/Zurich' },
    postal: { code: '8001' },
    subdivisions: [{ iso_code: 'ZH', names: { en: 'Zurich' } }],
  },
  [bitsOf('198.51.100.0/25')]: {
    country: { iso_code: 'DE', is_in_european_union: true, names: { en: 'Germany' } },
  },
} as const

export const SYSTEMS = {
  [bitsOf('192.0.2.0/24')]: { autonomous_system_number: 64_500, autonomous_system_organization: 'Example' },
  [bitsOf('203.0.113.0/24')]: { autonomous_system_number: 4_200_000_000 },
} as const
