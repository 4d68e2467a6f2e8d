// What rules know of a request beside what was received: its path normalized, where its client is, and whether it is a bot.
import { locations } from '../locations.ts'
import { verifiedBots } from '../verified-bots.ts'
import {
  type Bytes,
  normaliseTarget,
  type GeoFacts,
  type ListFacts,
  type PathNormalization,
  type RequestFacts,
} from '@zonereeve/expr'

/** The setting of a zone, as the API has it. */
export interface UrlNormalization {
  /** `incoming`: rules see normalized paths; `both`: so does the origin, where the edge forwards requests itself. */
  readonly scope: 'incoming' | 'both' | 'none'
  readonly type: Exclude<PathNormalization, 'none'>
}

export const DEFAULT_NORMALIZATION: UrlNormalization = { scope: 'incoming', type: 'cloudflare' }

/**
 * Completes the facts of a request in place: with the settings of its zone and its named lists, and with what is known of its
 * client's address from the operator's files. Managed rules inspect paths in both forms. A copy with more members would
 * cost more than the rest of an ordinary decision: V8 makes a hidden class for each.
 */
export function completeFacts(
  facts: { -readonly [Key in keyof RequestFacts]: RequestFacts[Key] },
  {
    normalization: { scope, type },
    lists,
  }: { readonly normalization: UrlNormalization; readonly lists?: ListFacts },
): RequestFacts {
  const { clientIp } = facts
  facts.normalization = scope === 'none' ? 'none' : type
  if (lists !== undefined) facts.lists = lists
  const bots = verifiedBots()
  if (bots !== undefined) facts.isVerifiedBot = () => bots.isOne(clientIp)
  const database = locations()
  if (database === undefined) return facts
  let found: GeoFacts | undefined
  facts.geo = () => (found ??= database.locationOf(clientIp))
  return facts
}

/** Path and query for the origin. */
export const targetForOrigin = (target: Bytes, { scope, type }: UrlNormalization): Bytes =>
  scope === 'both' ? normaliseTarget(target, type) : target
