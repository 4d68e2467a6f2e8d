// Detects wildcards below a name by querying names that cannot exist: an answer that equals a wildcard's says nothing
// about the queried name (RFC 4592).
import { joinName, type Name, NameError } from '@zonereeve/dns'
import type { NameserverClient } from './nameserver-client.ts'
import type { FoundRecord } from './zone-answer.ts'

/** Number of probe names; a wildcard with varying answers is detected by the second. */
const PROBES = 2
const LABEL_OCTETS = 10

export type WildcardAnswer =
  | { readonly kind: 'none' }
  /** Every name has these records; they are those of the probes. */
  | { readonly kind: 'same'; readonly records: readonly FoundRecord[]; readonly keys: ReadonlySet<string> }
  /** Every name has an answer, each a different one. */
  | { readonly kind: 'varying' }

export interface Wildcards {
  /** Returns the answer for a nonexistent name below `parent`. */
  answerBelow(parent: Name, type: number): Promise<WildcardAnswer>
}

const NONE: WildcardAnswer = { kind: 'none' }

export function createWildcards(client: NameserverClient, random: (octets: number) => Uint8Array): Wildcards {
  const known = new Map<string, Promise<WildcardAnswer>>()
  return {
    answerBelow(parent, type) {
      const key = `${type} ${parent}`
      let answer = known.get(key)
      if (answer === undefined) known.set(key, (answer = probe(parent, type)))
      return answer
    },
  }

  async function probe(parent: Name, type: number): Promise<WildcardAnswer> {
    const names = Array.from({ length: PROBES }, () => unlikelyName(parent)).filter(
      (name) => name !== undefined,
    )
    const answers = await Promise.all(names.map((name) => client.ask(name, type)))
    const lists = answers.map((answer) => (answer?.kind === 'records' ? answer.records : []))
    const [first = [], ...others] = lists
    if (lists.every(({ length }) => length === 0)) return NONE
    const keys = keysOf(first)
    const isSame = others.every(
      (list) => keysOf(list).size === keys.size && list.every((each) => keys.has(keyOf(each))),
    )
    return isSame ? { kind: 'same', records: first, keys } : { kind: 'varying' }
  }

  function unlikelyName(parent: Name): Name | undefined {
    try {
      return joinName(`zr-${Buffer.from(random(LABEL_OCTETS)).toString('hex')}`, parent)
    } catch (error) {
      if (error instanceof NameError) return undefined // too long below this parent, as every other name is
      throw error
    }
  }
}

/** Equality key of an answer: type and value, ignoring the TTL. */
export const keyOf = ({ type, rdata }: FoundRecord): string =>
  `${type} ${Buffer.from(rdata).toString('latin1')}`

const keysOf = (records: readonly FoundRecord[]): ReadonlySet<string> => new Set(records.map(keyOf))
