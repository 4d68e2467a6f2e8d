// Predicts how a browser treats a load under a policy: the directive that governs it, and whether its list allows it.
import { governingNames } from './directives.ts'
import { firstMatch, type Reading } from './match.ts'
import type { Directive, Policy } from './policy.ts'
import { type HashAlgorithm, type Keyword, printSource, type Source } from './source.ts'
import { readUrl } from './url.ts'

export interface Digest {
  readonly algorithm: HashAlgorithm
  /** Base64 in either alphabet. */
  readonly value: string
}

/** An action of a page that a policy can forbid. `directive` is the effective one, for example `script-src-elem`. */
export type Load =
  | {
      readonly kind: 'url'
      readonly directive: string
      readonly url: string
      readonly isRedirected?: boolean
      /** The digests in the element's `integrity`. */
      readonly integrity?: readonly Digest[]
      readonly nonce?: string
      /** Inserted by the page's HTML, not by a script; relevant for `'strict-dynamic'`. */
      readonly isParserInserted?: boolean
    }
  | {
      readonly kind: 'inline'
      readonly directive: 'script-src-elem' | 'script-src-attr' | 'style-src-elem' | 'style-src-attr'
      readonly digests?: readonly Digest[]
      readonly nonce?: string
    }
  | { readonly kind: 'eval' }
  | { readonly kind: 'wasm-eval' }

export interface Situation {
  /** The URL of the page. */
  readonly page: string
  readonly reading: Reading
}

export interface Decision {
  readonly isAllowed: boolean
  /** The directive that decided; undefined if the policy has none for such loads. */
  readonly directive?: string
  /** The source expression that allowed it. */
  readonly source?: string
}

/** Decides a load under one policy (CSP3 §4.1.2 and §4.2, §6.1). Under several, each must allow it. */
export function decide(policy: Policy, load: Load, situation: Situation): Decision {
  const directive = governing(policy, effectiveDirective(load))
  if (directive === undefined) return { isAllowed: true }
  const source = admits(directive, load, situation)
  if (source === undefined) return { isAllowed: false, directive: directive.name }
  return { isAllowed: true, directive: directive.name, source: printSource(source) }
}

/** The directive of a policy that governs loads of `effective`, by the fallbacks of CSP3 §6.8.3. */
export function governing({ directives }: Policy, effective: string): Directive | undefined {
  for (const name of governingNames(effective)) {
    const found = directives.find((directive) => directive.name === name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether `'unsafe-inline'` is present and in effect (CSP3 §6.7.3.2). */
export function allowsAllInline(sources: readonly Source[], isScript: boolean): boolean {
  const isVoid = sources.some(
    (source) =>
      source.kind === 'nonce' ||
      source.kind === 'hash' ||
      (isScript && source.kind === 'keyword' && source.keyword === 'strict-dynamic'),
  )
  return !isVoid && keyword(sources, 'unsafe-inline') !== undefined
}

function effectiveDirective(load: Load): string {
  return load.kind === 'url' || load.kind === 'inline' ? load.directive : 'script-src'
}

function admits({ name, sources }: Directive, load: Load, situation: Situation): Source | undefined {
  switch (load.kind) {
    case 'url':
      return admitsUrl(name, sources, load, situation)
    case 'inline':
      return admitsInline(sources, load)
    case 'eval':
      return keyword(sources, 'unsafe-eval')
    case 'wasm-eval':
      return keyword(sources, 'wasm-unsafe-eval') ?? keyword(sources, 'unsafe-eval')
  }
}

/** For scripts, nonces, integrity and `'strict-dynamic'` are checked before the URL (CSP3 §6.7.1.1). */
function admitsUrl(
  name: string,
  sources: readonly Source[],
  load: Extract<Load, { kind: 'url' }>,
  { page, reading }: Situation,
): Source | undefined {
  const nonce = nonceOf(sources, load.nonce)
  if (nonce !== undefined && (isScript(load.directive) || isStyle(load.directive))) return nonce
  if (isScript(load.directive)) {
    // Without integrity metadata no hash can match.
    const listed = (load.integrity ?? []).map((digest) => hashOf(sources, digest))
    if (listed.length > 0 && listed.every((source) => source !== undefined)) return listed[0]
    const dynamic = keyword(sources, 'strict-dynamic')
    if (dynamic !== undefined) return load.isParserInserted === false ? dynamic : undefined
  }
  const url = readUrl(load.url)
  if (url === undefined) return undefined
  const isRedirected = load.isRedirected ?? false
  return firstMatch(sources, url, { page: readUrl(page), reading, directive: name, isRedirected })
}

/**
 * Inline blocks by `'unsafe-inline'`, nonce or hash; attributes by hash only with `'unsafe-hashes'` (CSP3 §6.7.3.3).
 */
function admitsInline(
  sources: readonly Source[],
  load: Extract<Load, { kind: 'inline' }>,
): Source | undefined {
  if (allowsAllInline(sources, isScript(load.directive))) return keyword(sources, 'unsafe-inline')
  const isAttribute = load.directive.endsWith('-attr')
  const nonce = nonceOf(sources, load.nonce)
  if (nonce !== undefined && !isAttribute) return nonce
  if (isAttribute && keyword(sources, 'unsafe-hashes') === undefined) return undefined
  // Without digests no hash can match.
  for (const digest of load.digests ?? []) {
    const listed = hashOf(sources, digest)
    if (listed !== undefined) return listed
  }
  return undefined
}

const isScript = (directive: string): boolean =>
  directive.startsWith('script-src') || directive === 'worker-src'
const isStyle = (directive: string): boolean => directive.startsWith('style-src')

const keyword = (sources: readonly Source[], desired: Keyword): Source | undefined =>
  sources.find((source) => source.kind === 'keyword' && source.keyword === desired)

const nonceOf = (sources: readonly Source[], nonce: string | undefined): Source | undefined =>
  nonce === undefined || nonce === ''
    ? undefined
    : sources.find((source) => source.kind === 'nonce' && source.value === nonce)

const hashOf = (sources: readonly Source[], digest: Digest): Source | undefined =>
  sources.find(
    (source) =>
      source.kind === 'hash' &&
      source.algorithm === digest.algorithm &&
      plainBase64(source.value) === plainBase64(digest.value),
  )

/** Policies may write digests in the URL-safe alphabet, without padding. */
const plainBase64 = (text: string): string =>
  text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
