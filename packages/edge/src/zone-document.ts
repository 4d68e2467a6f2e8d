// What the server says about a zone: checked before it replaces what the edge has.
import type { WrittenZoneConfiguration } from '@zonereeve/firewall'

/** A proxied record: where requests for a name are forwarded. */
export interface OriginRecord {
  /** Without the final dot; the first label can be `*`. */
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'CNAME'
  readonly content: string
}

/** The configuration of one zone. */
export interface ZoneDocument {
  readonly format: typeof DOCUMENT_FORMAT
  readonly id: string
  /** Without the final dot. */
  readonly name: string
  /** As the field `cf.zone.plan` has it. */
  readonly plan: string
  readonly version: string
  readonly configuration: WrittenZoneConfiguration
  readonly origins: readonly OriginRecord[]
}

/** Increased whenever an older edge could misunderstand a document. */
export const DOCUMENT_FORMAT = 1

/** @throws Error if it is not a document that this version understands. */
export function readZoneDocument(value: unknown): ZoneDocument {
  const document = value as Partial<ZoneDocument> | null // checked below, as far as compiling it does not
  if (document?.format !== DOCUMENT_FORMAT)
    throw new Error(
      `the configuration has format ${String(document?.format)}; this edge reads ${DOCUMENT_FORMAT}`,
    )
  const { id, name, plan, version, configuration, origins } = document
  const areStrings = [id, name, plan, version].every((one) => typeof one === 'string' && one !== '')
  if (!areStrings || configuration === undefined || !Array.isArray(origins))
    throw new Error('the configuration of a zone lacks members')
  return document as ZoneDocument // all members were checked
}
