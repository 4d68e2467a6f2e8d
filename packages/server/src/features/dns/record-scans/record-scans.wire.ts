// Reviews of found records between wire and domain form.
import type { ScanReview } from '@zonereeve/contract'
import { type Issue, throwIfIssues } from '@zonereeve/platform'
import { toPatch } from '../dns-records/index.ts'
import type { Review, Reviewed } from './record-scans.service.ts'

export function toReview({ accepts, rejects }: ScanReview): Review {
  const [accepted, rejected] = [accepts ?? [], rejects ?? []] // a list that is not sent is empty
  return {
    accepts: accepted.map((accept) => ({ id: accept.id ?? undefined, edit: toPatch(accept) })),
    rejects: rejected.map(({ id }) => id),
  }
}

/** The result of a review as JSON text. */
export const toReviewText = ({ accepts, rejects }: Reviewed): string =>
  `{"accepts":[${accepts.join(',')}],"rejects":${JSON.stringify(rejects)}}`

/** Shadowed records are not supported: a list that ignored this parameter would look as if it honored it. */
export function rejectShadows(query: { readonly include_shadow_metadata?: boolean }): void {
  const option = 'include_shadow_metadata'
  const issue: Issue = { reason: 'record.option_unsupported', pointer: `/${option}`, values: { option } }
  throwIfIssues(query.include_shadow_metadata === true ? [issue] : [])
}
