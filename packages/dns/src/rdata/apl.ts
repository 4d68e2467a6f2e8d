// APL: lists of address prefixes.

import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '../address.ts'
import { TextError, WireError } from '../errors.ts'
import type { Reader, Writer } from '../wire.ts'
import { defineRecordType } from './define.ts'
import type { Field } from './define.ts'

/** A list of prefixes (RFC 3123 §4). */
export interface Apl {
  /** May be empty. */
  readonly items: readonly AplItem[]
}

/** One prefix of a list. */
export interface AplItem {
  /** Whether the prefix is excluded from the list. */
  readonly negated: boolean
  /** 1 = IPv4, 2 = IPv6; others have generic text only. */
  readonly family: 1 | 2
  readonly address: string
  /** Bits, 0 to 32 or 128. */
  readonly prefix: number
}

const FAMILIES = {
  1: { octets: 4, parse: parseIpv4, format: formatIpv4 },
  2: { octets: 16, parse: parseIpv6, format: formatIpv6 },
} as const
/** `[!]family:address/prefix` (RFC 3123 §5). */
const ITEM = /^(!?)([12]):([\d.a-f:]+)\/(\d{1,3})$/i

const items: Field<readonly AplItem[]> = {
  read: (r) => {
    const read: AplItem[] = []
    while (r.remaining > 0) read.push(readItem(r))
    return read
  },
  write: (w, value) => value.forEach((item) => writeItem(w, item)),
  toText: (value) => value.map(itemText).join(' '),
  fromText: (tokens) => {
    const read: AplItem[] = []
    while (tokens.remaining > 0) {
      const { text, offset } = tokens.next()
      const item = parseItem(text)
      if (item === undefined)
        throw new TextError('apl.items', offset, `${text} is not a prefix such as 1:192.0.2.0/24`)
      read.push(item)
    }
    return read
  },
  check: (value) =>
    value.every(isItem) ? undefined : 'must be prefixes such as 1:192.0.2.0/24 or !2:2001:db8::/32',
}

export const apl = defineRecordType<Apl>({
  type: 'APL',
  code: 42,
  refs: ['RFC 3123 §4', 'RFC 3123 §5'],
  fields: { items },
})

function parseItem(text: string): AplItem | undefined {
  const [, mark, number, address = '', prefix] = ITEM.exec(text) ?? []
  if (mark === undefined) return undefined
  const family = number === '1' ? 1 : 2
  const octets = FAMILIES[family].parse(address)
  const item = { negated: mark === '!', family, address, prefix: Number(prefix) } as const
  return octets === undefined || !isItem(item)
    ? undefined
    : { ...item, address: FAMILIES[family].format(octets) }
}

function isItem({ family, address, prefix }: AplItem): boolean {
  const { octets, parse } = FAMILIES[family]
  return parse(address) !== undefined && Number.isInteger(prefix) && prefix >= 0 && prefix <= octets * 8
}

const itemText = ({ negated, family, address, prefix }: AplItem): string =>
  `${negated ? '!' : ''}${family}:${address}/${prefix}`

/** Zero octets at the end of the address are left out (RFC 3123 §4). */
function writeItem(writer: Writer, item: AplItem): void {
  const octets = FAMILIES[item.family].parse(item.address)
  if (octets === undefined || !isItem(item))
    throw new WireError('wire.value', writer.offset, 'a prefix does not fit its family')
  const length = octets.findLastIndex((octet) => octet !== 0) + 1
  writer.u16(item.family)
  writer.u8(item.prefix)
  writer.u8(length | (item.negated ? 0x80 : 0))
  writer.bytes(octets.subarray(0, length))
}

function readItem(reader: Reader): AplItem {
  const { offset } = reader
  const [family, prefix, head] = [reader.u16(), reader.u8(), reader.u8()]
  const part = reader.bytes(head & 0x7f)
  if (family !== 1 && family !== 2) throw new WireError('wire.value', offset, 'the family is not 1 or 2')
  const { octets, format } = FAMILIES[family]
  if (part.length > octets || prefix > octets * 8 || part.at(-1) === 0)
    throw new WireError('wire.value', offset, 'a prefix does not fit its family')
  const whole = new Uint8Array(octets)
  whole.set(part)
  return { negated: head > 0x7f, family, address: format(whole), prefix }
}
