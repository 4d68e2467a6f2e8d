// IP addresses in ranges, for `@ipMatch`.

/** True if the address is in one of the ranges: addresses or prefixes of IPv4 or IPv6, separated by commas. */
export function isInRange(address: string, ranges: readonly string[]): boolean {
  const bits = addressBits(address)
  if (bits === undefined) return false
  return ranges.some((range) => {
    const [base = '', length] = range.trim().split('/')
    const start = addressBits(base)
    if (start === undefined || start.length !== bits.length) return false
    const compared = length === undefined ? bits.length : Number(length)
    return start.slice(0, compared) === bits.slice(0, compared)
  })
}

/** The bits of an address as text; undefined if it is none. */
function addressBits(address: string): string | undefined {
  const four = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)
  if (four !== null) {
    const bytes = four.slice(1).map(Number)
    return bytes.some((byte) => byte > 255) ? undefined : bytes.map((byte) => binary(byte, 8)).join('')
  }
  if (!/^[0-9a-fA-F:]{2,39}$/.test(address)) return undefined
  const [head = '', tail, ...more] = address.split('::')
  if (more.length > 0) return undefined
  const left = groupsOf(head)
  const right = tail === undefined ? [] : groupsOf(tail)
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 0) return undefined
  return [...left, ...Array.from({ length: missing }, () => 0), ...right]
    .map((group) => binary(group, 16))
    .join('')
}

const groupsOf = (text: string): readonly number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

const binary = (value: number, length: number): string => value.toString(2).padStart(length, '0')
