// A second codec for SPOP, written apart from the first one: by the tables of doc/SPOE.txt, on arrays of numbers, and
// the peer's side of the protocol. Tests compare both.
import type { SpopValue } from './values.ts'

/** The table of variable-length integers: first value, octets. */
const WIDTHS: readonly (readonly [from: bigint, octets: number])[] = [
  [0n, 1],
  [240n, 2],
  [2_288n, 3],
  [264_432n, 4],
  [33_818_864n, 5],
  [4_328_786_160n, 6],
  [554_084_600_048n, 7],
  [70_922_828_777_712n, 8],
  [9_078_122_083_518_704n, 9],
  [1_161_999_626_690_365_680n, 10],
]

export function integerOctets(value: bigint): number[] {
  const row = WIDTHS.filter(([from]) => value >= from).at(-1)
  if (row === undefined) throw new Error('negative')
  const [from, count] = row
  if (count === 1) return [Number(value)]
  // Above its row's first value, each number is written in base 16, then 128, least significant digit first.
  let rest = value - from
  const digits = [rest % 16n]
  rest /= 16n
  for (let index = 1; index < count; index += 1) {
    digits.push(rest % 128n)
    rest /= 128n
  }
  return digits.map((digit, index) => {
    if (index === 0) return 0xf0 + Number(digit)
    return Number(digit) + (index === count - 1 ? 0 : 0x80)
  })
}

function integerAt(octets: readonly number[], start: number): readonly [bigint, number] {
  const first = at(octets, start)
  if (first < 240) return [BigInt(first), start + 1]
  let end = start + 1
  while (at(octets, end) >= 128) end += 1
  const count = end - start + 1
  const row = WIDTHS[count - 1]
  if (row === undefined) throw new Error('too long')
  let sum = row[0] + BigInt(first % 16)
  let weight = 16n
  for (let index = start + 1; index <= end; index += 1) {
    sum += BigInt(at(octets, index) % 128) * weight
    weight *= 128n
  }
  return [sum, end + 1]
}

function at(octets: readonly number[], index: number): number {
  const found = octets[index]
  if (found === undefined) throw new Error('ends too early')
  return found
}

const IDS: Readonly<Record<SpopValue['type'], number>> = {
  null: 0,
  boolean: 1,
  int32: 2,
  uint32: 3,
  int64: 4,
  uint64: 5,
  ipv4: 6,
  ipv6: 7,
  string: 8,
  binary: 9,
}
const charCodes = (text: string): number[] => [...text].map((one) => one.charCodeAt(0))
const sized = (octets: readonly number[]): number[] => [...integerOctets(BigInt(octets.length)), ...octets]
export const textOctets = (text: string): number[] => sized(charCodes(text))

export function valueOctets(value: SpopValue): number[] {
  const id = IDS[value.type]
  if (value.type === 'null') return [id]
  if (value.type === 'boolean') return [value.value ? 16 + id : id]
  if (value.type === 'string') return [id, ...textOctets(value.value)]
  if (typeof value.value === 'bigint')
    return [id, ...integerOctets(value.value < 0n ? value.value + 2n ** 64n : value.value)]
  return value.type === 'binary' ? [id, ...sized([...value.value])] : [id, ...value.value]
}

export type Pairs = readonly (readonly [string, SpopValue])[]

export const pairsOctets = (pairs: Pairs): number[] =>
  pairs.flatMap(([name, value]) => [...textOctets(name), ...valueOctets(value)])

export const messagesOctets = (messages: readonly (readonly [string, Pairs])[]): number[] =>
  messages.flatMap(([name, args]) => [...textOctets(name), args.length, ...pairsOctets(args)])

/** The sample `req.hdrs_bin`. */
export const headersOctets = (lines: readonly (readonly [string, string])[]): number[] =>
  [...lines.flat(), '', ''].flatMap(textOctets)

/** With the length before it. */
export function frameOctets(
  type: number,
  flags: number,
  ids: readonly [bigint, bigint],
  payload: readonly number[],
): number[] {
  const frame = [type, 0, 0, 0, flags, ...ids.flatMap(integerOctets), ...payload]
  const { length } = frame
  return [length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255, ...frame]
}

export interface ReadFrame {
  readonly type: number
  readonly flags: number
  readonly ids: readonly [bigint, bigint]
  readonly payload: readonly number[]
}

/** All frames of a stream, and what is left over. */
export function framesIn(octets: readonly number[]): { frames: ReadFrame[]; rest: readonly number[] } {
  const frames: ReadFrame[] = []
  for (let start = 0; ;) {
    const length = octets.slice(start, start + 4).reduce((sum, one) => sum * 256 + one, 0)
    const frame = octets.slice(start + 4, start + 4 + length)
    if (start + 4 > octets.length || frame.length < length) return { frames, rest: octets.slice(start) }
    const [streamId, middle] = integerAt(frame, 5)
    const [frameId, end] = integerAt(frame, middle)
    const flags = frame.slice(1, 5).reduce((sum, one) => sum * 256 + one, 0)
    frames.push({ type: at(frame, 0), flags, ids: [streamId, frameId], payload: frame.slice(end) })
    start += 4 + length
  }
}

function textAt(octets: readonly number[], start: number): readonly [string, number] {
  const [length, from] = integerAt(octets, start)
  const end = from + Number(length)
  if (end > octets.length) throw new Error('ends too early')
  return [String.fromCharCode(...octets.slice(from, end)), end]
}

/** Only what agents send: strings, unsigned integers and booleans. */
function sentValueAt(octets: readonly number[], start: number): readonly [string | number | boolean, number] {
  const tag = at(octets, start)
  if (tag === IDS.string) return textAt(octets, start + 1)
  if (tag % 16 === IDS.boolean) return [tag === 17, start + 1]
  if (tag !== IDS.uint32) throw new Error(`agents do not send type ${tag}`)
  const [value, end] = integerAt(octets, start + 1)
  return [Number(value), end]
}

/** The payload of AGENT-HELLO and AGENT-DISCONNECT. */
export function sentPairs(payload: readonly number[]): Record<string, string | number | boolean> {
  const found: Record<string, string | number | boolean> = {}
  for (let position = 0; position < payload.length;) {
    const [name, middle] = textAt(payload, position)
    const [value, end] = sentValueAt(payload, middle)
    found[name] = value
    position = end
  }
  return found
}

/** The payload of ACK: variables of the transaction by name. */
export function sentVariables(payload: readonly number[]): Record<string, string | number | boolean> {
  const found: Record<string, string | number | boolean> = {}
  for (let position = 0; position < payload.length;) {
    const head = payload.slice(position, position + 3)
    if (head.join() !== '1,3,2') throw new Error(`no SET-VAR of the transaction: ${head.join()}`)
    const [name, middle] = textAt(payload, position + 3)
    const [value, end] = sentValueAt(payload, middle)
    found[name] = value
    position = end
  }
  return found
}
