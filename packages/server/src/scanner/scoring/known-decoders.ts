// Functions of a script that give what a well-known way of decoding gives. Going through one of them step by step takes thousands of steps
// a text, and obfuscators call them hundreds of times, so one that has proven what it is is computed at once.
import type { FunctionNode } from './syntax-tree.ts'

/** @returns null where it cannot be computed. */
type Decode = (text: string, key: string) => string | null

/** What a decoder must have given before it is believed, for texts of some length. */
const PROOFS = 2
const MIN_LENGTH_OF_PROOF = 4
/** Whatever takes fewer steps is better left to itself. */
const MIN_STEPS = 150

/** The alphabet of javascript-obfuscator's base64 has small letters first. */
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
  // By UTF-16 units, as scripts do it.
  (text) => text.split('').toReversed().join(''),
]
const WITH_KEY: readonly Decode[] = [(text: string) => text, ...READINGS].flatMap((read) => [
  (text: string, key: string) => runRc4(read(text), key),
  (text: string, key: string) => exclusiveOr(read(text), key),
])

interface Known {
  readonly proven: Set<string>
  /** Those that gave the same, each time. */
  left: readonly Decode[]
}

export interface KnownDecoders {
  /** What a call gives, where its function is known by now; else undefined. */
  readonly compute: (node: FunctionNode, args: readonly unknown[]) => string | undefined
  /** Compares what a call gave, at the cost of so many steps, with what decoders would have given. */
  readonly learn: (node: FunctionNode, args: readonly unknown[], result: unknown, steps: number) => void
}

/** A memory for the functions of one script. */
export function createKnownDecoders(): KnownDecoders {
  const byNode = new Map<FunctionNode, Known>()

  return {
    compute(node, args) {
      const known = byNode.get(node)
      if (known === undefined || known.proven.size < PROOFS) return undefined
      const [text, key] = textsOf(args) ?? []
      return text === undefined ? undefined : (known.left[0]?.(text, key ?? '') ?? undefined)
    },
    learn(node, args, result, steps) {
      const known = byNode.get(node)
      if (known?.left.length === 0 || (steps < MIN_STEPS && known === undefined)) return
      const [text, key] = textsOf(args) ?? []
      if (text === undefined || typeof result !== 'string' || text.length < MIN_LENGTH_OF_PROOF) return
      const candidates = known?.left ?? (key === undefined ? WITHOUT_KEY : WITH_KEY)
      const left = candidates.filter((decode) => decode(text, key ?? '') === result)
      byNode.set(node, { left, proven: (known?.proven ?? new Set<string>()).add(`${text} ${key ?? ''}`) })
    },
  }
}

/** One or two texts, the second of which is a key; else null. */
function textsOf(args: readonly unknown[]): readonly [text: string, key?: string] | null {
  const [text, key] = args
  if (typeof text !== 'string' || args.length > 2) return null
  if (args.length === 1) return [text]
  return typeof key === 'string' && key !== '' ? [text, key] : null
}

function exclusiveOr(text: string, key: string): string {
  let out = ''
  for (let i = 0; i < text.length; i += 1)
    out += String.fromCharCode(text.charCodeAt(i) ^ key.charCodeAt(i % key.length))
  return out
}

/** RC4 over UTF-16 units, as scripts do it. */
function runRc4(text: string, key: string): string {
  const state = Array.from({ length: 256 }, (_, i) => i)
  const at = (i: number): number => state[i] ?? 0
  const swap = (i: number, j: number): void => {
    const kept = at(i)
    state[i] = at(j)
    state[j] = kept
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
