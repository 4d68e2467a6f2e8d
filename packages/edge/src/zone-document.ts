// What the server says about a zone: checked before it replaces what the edge has.
import type { AlsoReported, SentPolicy } from '@zonereeve/csp'
import type { WrittenZoneConfiguration } from '@zonereeve/firewall'

/** A proxied record: where requests for a name are forwarded. */
export interface OriginRecord {
  /** Without the final dot; the first label can be `*`. */
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'CNAME'
  readonly content: string
}

/** Policies and monitoring of a zone's pages. */
export interface PageHeaders {
  /** Scheme and host that browsers report to; null = the host of the page. */
  readonly collector: string | null
  /** null while monitoring is off. Addresses are path and query, signed by the server. */
  readonly monitoring: {
    /** The header goes with one of this many documents. */
    readonly oneIn: number
    readonly address: string
    /** Paths whose documents always have the header, with everything below them. */
    readonly wholePaths: readonly string[]
    readonly wholeAddress: string
    /** Absent in documents of older servers: nothing more. */
    readonly alsoReport?: readonly AlsoReported[]
    /** URLs of pages whose headers are compared, without fragments. Absent in documents of older servers: none. */
    readonly watched?: readonly string[]
  } | null
  /** In order of creation. */
  readonly policies: readonly (SentPolicy & {
    /** The responses that it is sent with. */
    readonly expression: string
    readonly address: string
  })[]
}

/** The configuration of one zone. */
export interface ZoneDocument {
  readonly format: (typeof READABLE_FORMATS)[number]
  readonly id: string
  /** Without the final dot. */
  readonly name: string
  /** As the field `cf.zone.plan` has it. */
  readonly plan: string
  readonly version: string
  readonly configuration: WrittenZoneConfiguration
  readonly origins: readonly OriginRecord[]
  /** Absent if no header is added to pages. */
  readonly pages?: PageHeaders
}

/** Increased whenever an older edge could misunderstand a document. 2: named lists. 3: rules of other products. */
export const DOCUMENT_FORMAT = 3
/** Stored documents of earlier versions are as good as ever. */
const READABLE_FORMATS = [1, 2, DOCUMENT_FORMAT] as const

/** @throws Error if it is not a document that this version understands. */
export function readZoneDocument(value: unknown): ZoneDocument {
  const document = value as Partial<ZoneDocument> | null // checked below, as far as compiling it does not
  if (document === null || !READABLE_FORMATS.some((format) => format === document.format))
    throw new Error(
      `the configuration has format ${String(document?.format)}; this edge reads ${READABLE_FORMATS.join(' and ')}`,
    )
  const { id, name, plan, version, configuration, origins } = document
  const areStrings = [id, name, plan, version].every((one) => typeof one === 'string' && one !== '')
  if (!areStrings || configuration === undefined || !Array.isArray(origins))
    throw new Error('the configuration of a zone lacks members')
  return document as ZoneDocument // all members were checked
}
