// What wildcards answer below a name, found out by asking for names that nobody has: an answer that a wildcard gives to
// any name says nothing about the one that was asked for (RFC 4592).
import { joinName, NameError } from '@zonereeve/dns'
import type { Name } from '@zonereeve/dns'
import type { NameserverAsker } from './nameserver-asker.ts'
import type { FoundRecord } from './zone-answer.ts'

/** Names that are asked for; one that answers otherwise each time is recognised by the second. */
const PROBES = 2
const LABEL_OCTETS = 10

export type WildcardAnswer =
  | { readonly kind: 'none' }
  /** Every name is answered with these, as records of the probes. */
  | { readonly kind: 'same'; readonly records: readonly FoundRecord[]; readonly keys: ReadonlySet<string> }
  /** Every name is answered, each with something else. */
  | { readonly kind: 'varying' }

export interface Wildcards {
  /** What a name below `parent` that does not exist is answered with. */
  answerBelow(parent: Name, type: number): Promise<WildcardAnswer>
}

const NONE: WildcardAnswer = { kind: 'none' }

export function createWildcards(asker: NameserverAsker, random: (octets: number) => Uint8Array): Wildcards {
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
    const answers = await Promise.all(names.map((name) => asker.ask(name, type)))
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

/** What makes two answers the same: type and value, whatever the TTL. */
export const keyOf = ({ type, rdata }: FoundRecord): string =>
  `${type} ${Buffer.from(rdata).toString('latin1')}`

const keysOf = (records: readonly FoundRecord[]): ReadonlySet<string> => new Set(records.map(keyOf))
