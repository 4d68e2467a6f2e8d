// An answer of the nameserver with its reasons, and their descriptions.
import type { Name } from '@zonereeve/dns'

export interface ExplainedAnswer {
  readonly rcode: string
  /** Header flags that are set. */
  readonly flags: readonly ('qr' | 'aa' | 'tc' | 'rd' | 'ra' | 'ad' | 'cd')[]
  /** Whether a client with the default buffer size must retry over TCP. */
  readonly isTruncatedOverUdp: boolean
  readonly rrsets: readonly AnsweredRrset[]
  /** The names that were looked up, in order. */
  readonly steps: readonly AnswerStep[]
}

/** Where an rrset comes from. */
export type AnswerSource =
  /** Records as stored. */
  | 'stored'
  /** The edge's addresses, for a proxied name. */
  | 'edge'
  /** The synthesized HTTPS record of a proxied name. */
  | 'https_on_the_fly'
  /** The addresses at the end of a CNAME's chain instead of the CNAME. */
  | 'flattened'
  /** The CNAME that a DNAME makes for a name below it. */
  | 'redirection'
  /** The zone itself: SOA and name servers. */
  | 'zone'
  /** The minimal answer to ANY (RFC 8482). */
  | 'any_stand_in'
  /** Another zone on this server, whose records are not shown. */
  | 'other_zone'

export interface AnsweredRrset {
  readonly section: 'answer' | 'authority' | 'additional'
  readonly owner: Name
  readonly type: string
  readonly ttlSeconds: number
  /** Values in presentation format. */
  readonly values: readonly string[]
  readonly source: AnswerSource
  /** Stored records that it was derived from. */
  readonly recordIds: readonly string[]
}

export type AnswerStep =
  | { readonly outcome: 'outside'; readonly name: Name }
  | {
      readonly outcome: 'answer' | 'alias' | 'no_data' | 'failing' | 'no_name' | 'redirected' | 'referral'
      readonly name: Name
      readonly zoneName: Name
      readonly owner: Name | undefined
      readonly closestEncloser: Name
      readonly isEmpty: boolean
      /** Why the owner is not published as stored, if it is not. */
      readonly derivation: 'edge' | 'flattened' | 'withheld' | undefined
      /** The stored records behind that. */
      readonly recordIds: readonly string[]
      readonly chains: readonly AnswerChain[]
    }

/** The chain from a flattened CNAME to addresses of one type. */
export interface AnswerChain {
  readonly type: string
  readonly names: readonly { readonly name: Name; readonly isServedHere: boolean }[]
  readonly end: 'addresses' | 'none' | 'failed' | 'pending' | 'unresolved'
}

type KnownStep = Extract<AnswerStep, { readonly zoneName: Name }>

/** Describes a step in one sentence or more. `type` is the queried type. */
export function describeStep(step: AnswerStep, type: string): string {
  if (step.outcome === 'outside') return `${step.name} is in no zone that is served here.`
  return [OUTCOMES[step.outcome](step, type), ...derivationStrings(step), ...step.chains.map(chainText)].join(
    ' ',
  )
}

const OUTCOMES: Readonly<Record<KnownStep['outcome'], (step: KnownStep, type: string) => string>> = {
  answer: (step, type) => `${step.name} has ${type} in the zone ${step.zoneName}${wildcardText(step)}.`,
  alias: (step, type) =>
    `${step.name} has no ${type} but a CNAME in the zone ${step.zoneName}${wildcardText(step)}, which is followed.`,
  no_data: (step, type) =>
    step.isEmpty
      ? `${step.owner} has no records of its own: it exists for the names below it (an empty non-terminal)${wildcardText(step)}.`
      : `${step.name} exists in the zone ${step.zoneName}${wildcardText(step)}, without ${type}.`,
  failing: (step) => `${step.name} has addresses that are not known at present${wildcardText(step)}.`,
  no_name: (step) =>
    `${step.name} does not exist in the zone ${step.zoneName}; the closest name that does is ${step.closestEncloser}, without a wildcard below it.`,
  redirected: (step) =>
    `${step.name} is below ${step.owner}, whose DNAME in the zone ${step.zoneName} redirects it: a CNAME to the new name is made and followed.`,
  referral: (step) =>
    `${step.owner} is delegated: the answer refers to its name servers, and nothing at or below it is answered from the zone ${step.zoneName}.`,
}

const wildcardText = ({ owner, name }: KnownStep): string =>
  owner === undefined || owner === name ? '' : `, by the wildcard ${owner}`

function derivationStrings({ derivation, owner }: KnownStep): string[] {
  if (derivation === undefined) return []
  if (owner === undefined) throw new Error(`an answer is ${derivation}, but has no owner`)
  return [DERIVATIONS[derivation].replace('{owner}', owner)]
}

const DERIVATIONS: Readonly<Record<NonNullable<KnownStep['derivation']>, string>> = {
  edge: '{owner} is proxied: the edge is answered in the place of its records.',
  flattened:
    'The CNAME of {owner} is flattened: the addresses at the end of its chain are answered in its place.',
  withheld: 'Records of {owner} are not served: the mode of the zone keeps those that are not proxied.',
}

const ENDS: Readonly<Record<AnswerChain['end'], string>> = {
  addresses: 'addresses',
  none: 'no address',
  failed: 'no answer, or a loop',
  pending: 'an answer that has not come yet',
  unresolved: 'nothing: there is no resolver to ask',
}

const chainText = ({ type, names, end }: AnswerChain): string =>
  `For ${type} the chain leads ${names.map(({ name }) => `to ${name}, `).join('')}and ends with ${ENDS[end]}.`
