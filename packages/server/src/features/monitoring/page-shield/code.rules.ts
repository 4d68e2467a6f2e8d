// Code without a URL of its own: inline scripts, event handlers, evaluated strings, scripts and workers from
// `data:` and `blob:`. Browsers report its beginning, never all of it.
import { hash } from 'node:crypto'

export const CODE_KINDS = ['inline', 'handler', 'javascript_url', 'eval', 'wasm', 'script', 'worker'] as const

/** `script` and `worker`: from a `data:` or `blob:` URL, whose contents browsers do not report. */
export type CodeKind = (typeof CODE_KINDS)[number]

/** The relevant members of a violation report, each '' if not reported. */
export interface CodeReport {
  /** Lower case. */
  readonly directive: string
  readonly blockedUri: string
  readonly sample: string
  readonly sourceFile: string
}

export interface Code {
  readonly kind: CodeKind
  /** The first characters, at most {@link MAX_SAMPLE}; '' if the browser reports none. */
  readonly sample: string
  /** Without query and fragment; '' if unknown. */
  readonly sourceUrl: string
}

/** Browsers report at most 40 characters (CSP3 §2.4.2). */
const MAX_SAMPLE = 40
const MAX_SOURCE_CHARACTERS = 1024

/** @returns undefined if the report is about something else. */
export function readCode({ directive, blockedUri, sample, sourceFile }: CodeReport): Code | undefined {
  const kind = kindOf(directive, blockedUri, sample)
  if (kind === undefined) return undefined
  return { kind, sample: readSample(sample), sourceUrl: readSource(sourceFile) }
}

function kindOf(directive: string, blockedUri: string, sample: string): CodeKind | undefined {
  if (directive === 'worker-src') return isWithoutUrl(blockedUri) ? 'worker' : undefined
  if (!SCRIPT_DIRECTIVES.has(directive)) return undefined
  switch (blockedUri) {
    case 'inline':
      if (directive === 'script-src-attr') return 'handler'
      return /^\s*javascript:/i.test(sample) ? 'javascript_url' : 'inline'
    case 'eval':
      return 'eval'
    case 'wasm-eval':
      return 'wasm'
    default:
      return isWithoutUrl(blockedUri) ? 'script' : undefined
  }
}

const SCRIPT_DIRECTIVES: ReadonlySet<string> = new Set(['script-src', 'script-src-elem', 'script-src-attr'])

/** Engines report the scheme alone, or all of the URL. */
const isWithoutUrl = (blockedUri: string): boolean => /^(?:data|blob)(?::|$)/i.test(blockedUri)

/** Firefox keeps leading whitespace and marks what it cut off; Chromium does neither. */
const readSample = (sample: string): string =>
  sample
    .slice(0, MAX_SAMPLE + 1)
    .replace(/…$/, '')
    .trimStart()
    .slice(0, MAX_SAMPLE)

function readSource(sourceFile: string): string {
  if (!/^https?:\/\//i.test(sourceFile)) return ''
  const end = sourceFile.search(/[?#]/)
  return sourceFile.slice(0, end < 0 ? MAX_SOURCE_CHARACTERS : Math.min(end, MAX_SOURCE_CHARACTERS))
}

/** SHA-256 of the sample, in hexadecimal; null if there is none. */
export const sampleHash = (sample: string): string | null =>
  sample === '' ? null : hash('sha256', sample, 'hex')

/**
 * What distinguishes code of one kind on one host: its beginning. Without one, the file that ran it is all that
 * is known.
 */
export const identityOf = ({ sample, sourceUrl }: Pick<Code, 'sample' | 'sourceUrl'>): string =>
  sample === '' ? `from ${sourceUrl}` : sample
