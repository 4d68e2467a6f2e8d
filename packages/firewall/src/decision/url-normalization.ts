// How the path of a request is normalized: for the fields of rules, and for the origin.
import { type Bytes, normaliseTarget, type PathNormalization, type RequestFacts } from '@zonereeve/expr'

/** The setting of a zone, as the API has it. */
export interface UrlNormalization {
  /** `incoming`: rules see normalized paths; `both`: so does the origin, where the edge forwards requests itself. */
  readonly scope: 'incoming' | 'both' | 'none'
  readonly type: Exclude<PathNormalization, 'none'>
}

export const DEFAULT_NORMALIZATION: UrlNormalization = { scope: 'incoming', type: 'cloudflare' }

/** The facts of a request under the setting of its zone. Managed rules inspect paths in both forms. */
export const normalizedFacts = (facts: RequestFacts, { scope, type }: UrlNormalization): RequestFacts => ({
  ...facts,
  normalization: scope === 'none' ? 'none' : type,
})

/** Path and query for the origin. */
export const targetForOrigin = (target: Bytes, { scope, type }: UrlNormalization): Bytes =>
  scope === 'both' ? normaliseTarget(target, type) : target
