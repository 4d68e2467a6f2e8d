// Functions of a script whose results equal those of a well-known decoder. Interpreting one takes thousands of steps
// per string, and obfuscators call them hundreds of times, so a recognized decoder is computed directly.
import { elementAt } from './checked-reads.ts'
import type { FunctionNode } from './syntax-tree.ts'

/** @returns null if it cannot be computed. */
type Decode = (text: string, key: string) => string | null

/** How many results for strings of some length must match before a decoder is recognized. */
const CONCLUSIVE_CALLS = 2
const MIN_CONCLUSIVE_LENGTH = 4
/** Functions with fewer steps are interpreted like any other. */
const MIN_STEPS = 150

/** The alphabet of javascript-obfuscator's base64 has lower-case letters first. */
const swapLetters = (text: string): string =>
  text.replaceAll(/[a-z]/giu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
const octetsOf = (text: string): Buffer => Buffer.from(text, 'base64')

const READINGS: readonly ((text: string) => string)[] = [
  (text) => octetsOf(swapLetters(text)).toString(),
  (text) => octetsOf(text).toString(),
  (text) => octetsOf(text).toString('latin1'),
  (text) => Buffer.from(text, 'hex').toString('latin1'),
]

const WITHOUT_KEY: readonly Decode[] = [
  ...READINGS,
  // By UTF-16 units, as in scripts.
  (text) => text.split('').toReversed().join(''),
]
const WITH_KEY: readonly Decode[] = [(text: string) => text, ...READINGS].flatMap((read) => [
  (text: string, key: string) => runRc4(read(text), key),
  (text: string, key: string) => exclusiveOr(read(text), key),
])

interface DecoderMatch {
  readonly proven: Set<string>
  /** The decoders that have matched every time. */
  left: readonly Decode[]
}

export interface KnownDecoders {
  /** The result of a call if its function is recognized; otherwise undefined. */
  readonly compute: (node: FunctionNode, args: readonly unknown[]) => string | undefined
  /** Compares the result of a call, which took this many steps, with those of the decoders. */
  readonly learn: (node: FunctionNode, args: readonly unknown[], result: unknown, steps: number) => void
}

/** Remembers the functions of one script. */
export function createKnownDecoders(): KnownDecoders {
  const byNode = new Map<FunctionNode, DecoderMatch>()

  return {
    compute(node, args) {
      const known = byNode.get(node)
      if (known === undefined || known.proven.size < CONCLUSIVE_CALLS) return undefined
      const strings = stringsOf(args)
      return strings === null ? undefined : (known.left[0]?.(...strings) ?? undefined)
    },
    learn(node, args, result, steps) {
      const known = byNode.get(node)
      if (known?.left.length === 0 || (steps < MIN_STEPS && known === undefined)) return
      const strings = stringsOf(args)
      if (strings === null || typeof result !== 'string') return
      const [text, key] = strings
      if (text.length < MIN_CONCLUSIVE_LENGTH) return
      const candidates = known?.left ?? (key === '' ? WITHOUT_KEY : WITH_KEY)
      const left = candidates.filter((decode) => decode(text, key) === result)
      byNode.set(node, { left, proven: (known?.proven ?? new Set<string>()).add(`${text} ${key}`) })
    },
  }
}

/** One or two strings, the second of which is a key ('' if there is none); otherwise null. */
function stringsOf(args: readonly unknown[]): readonly [text: string, key: string] | null {
  const [text, key] = args
  if (typeof text !== 'string' || args.length > 2) return null
  if (args.length === 1) return [text, '']
  return typeof key === 'string' && key !== '' ? [text, key] : null
}

function exclusiveOr(text: string, key: string): string {
  let out = ''
  for (let i = 0; i < text.length; i += 1)
    out += String.fromCharCode(text.charCodeAt(i) ^ key.charCodeAt(i % key.length))
  return out
}

/** RC4 over UTF-16 units, as in scripts. */
function runRc4(text: string, key: string): string {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const at = (i: number): number => elementAt(state, i)
  const swap = (i: number, j: number): void => {
    const remaining = at(i)
    state[i] = at(j)
    state[j] = remaining
  }
  let j = 0
  for (let i = 0; i < 256; i += 1) {
    j = (j + at(i) + key.charCodeAt(i % key.length)) % 256
    swap(i, j)
  }
  let out = ''
  let i = 0
  j = 0
  for (let y = 0; y < text.length; y += 1) {
    i = (i + 1) % 256
    j = (j + at(i)) % 256
    swap(i, j)
    out += String.fromCharCode(text.charCodeAt(y) ^ at((at(i) + at(j)) % 256))
  }
  return out
}
