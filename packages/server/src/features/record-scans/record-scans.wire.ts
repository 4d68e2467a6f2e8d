// Reviews of found records between the wire and the product's own terms.
import type { ScanReview } from '@zonereeve/contract'
import { refuse, type Issue } from '../../platform/domain-error.ts'
import { toPatch } from '../dns-records/index.ts'
import type { Review, Reviewed } from './record-scans.service.ts'

export function toReview({ accepts, rejects }: ScanReview): Review {
  return {
    accepts: (accepts ?? []).map((accept) => ({ id: accept.id ?? undefined, edit: toPatch(accept) })),
    rejects: (rejects ?? []).map(({ id }) => id),
  }
}

/** The result of a review as JSON text. */
export const toReviewText = ({ accepts, rejects }: Reviewed): string =>
  `{"accepts":[${accepts.join(',')}],"rejects":${JSON.stringify(rejects)}}`

/** There are no shadowed records: a list that left this out would pass for one that honoured it. */
export function refuseShadows(query: { readonly include_shadow_metadata?: boolean }): void {
  const option = 'include_shadow_metadata'
  const issue: Issue = { reason: 'record.option_unsupported', pointer: `/${option}`, values: { option } }
  refuse(query.include_shadow_metadata === true ? [issue] : [])
}
