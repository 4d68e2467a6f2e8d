// The pages that rules of a zone have for errors: HAProxy needs each status and type by name.
import { ERROR_PHASE, type WrittenZoneConfiguration } from '@zonereeve/firewall'

export interface ErrorPageKind {
  readonly status: number
  readonly contentType: string
}

const LOWEST = 400
const HIGHEST = 599
/** Origins send statuses without a name, too. */
const ERRORS = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, index) => LOWEST + index)

/**
 * Rules that are not enabled count, too: enabling one needs no new configuration. A rule without a status keeps the origin's.
 * HAProxy sends no status above 599.
 */
export function errorPageKinds({
  rulesets,
}: Pick<WrittenZoneConfiguration, 'rulesets'>): readonly ErrorPageKind[] {
  const kinds = new Map<string, ErrorPageKind>()
  for (const { definition } of rulesets
    .filter(({ phase }) => phase === ERROR_PHASE)
    .flatMap(({ rules }) => rules)) {
    const {
      content,
      content_type: contentType,
      status_code: own,
    } = (definition.parameters ?? {}) as Parameters // checked by its shape
    if (content === undefined || contentType === undefined) continue // stored assets have no page
    if (own !== undefined && own > HIGHEST) continue
    for (const status of own === undefined ? ERRORS : [own])
      kinds.set(`${status} ${contentType}`, { status, contentType })
  }
  return [...kinds.values()]
}

interface Parameters {
  readonly content?: string
  readonly content_type?: string
  readonly status_code?: number
}
