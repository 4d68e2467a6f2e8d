// The directives of CSP Level 3 and of the specifications that extend it: one line each.

/** The kind of value of a directive. */
export type ValueKind = 'sources' | 'ancestors' | 'tokens' | 'nothing'

export interface DirectiveDefinition {
  readonly value: ValueKind
  /** Directives that govern instead if it is absent, nearest first (CSP3 §6.8.3). */
  readonly fallbacks: readonly string[]
  /** Why a policy must not contain it: only the server sends it, or it is dangerous to send by rule. */
  readonly refused?: string
  /** Why browsers ignore it, or will. */
  readonly deprecated?: string
}

const fetches = (...fallbacks: readonly string[]): DirectiveDefinition => ({ value: 'sources', fallbacks })
const stands = (value: ValueKind): DirectiveDefinition => ({ value, fallbacks: [] })

/** Every known directive by its lower-case name. */
export const DIRECTIVES: ReadonlyMap<string, DirectiveDefinition> = new Map([
  // fetch directives, CSP3 §6.1
  ['child-src', fetches('default-src')],
  ['connect-src', fetches('default-src')],
  ['default-src', fetches()],
  ['font-src', fetches('default-src')],
  ['frame-src', fetches('child-src', 'default-src')],
  ['img-src', fetches('default-src')],
  ['manifest-src', fetches('default-src')],
  ['media-src', fetches('default-src')],
  ['object-src', fetches('default-src')],
  ['script-src', fetches('default-src')],
  ['script-src-attr', fetches('script-src', 'default-src')],
  ['script-src-elem', fetches('script-src', 'default-src')],
  ['style-src', fetches('default-src')],
  ['style-src-attr', fetches('style-src', 'default-src')],
  ['style-src-elem', fetches('style-src', 'default-src')],
  ['worker-src', fetches('child-src', 'script-src', 'default-src')],
  // document and navigation directives, §6.3 and §6.4: they do not fall back to default-src
  ['base-uri', stands('sources')],
  ['form-action', stands('sources')],
  ['frame-ancestors', stands('ancestors')],
  ['sandbox', { ...stands('tokens'), refused: 'a sandbox is set by the page, not by a policy of the zone' }],
  // reporting directives, §6.5: added when the header is sent
  ['report-to', { ...stands('tokens'), refused: 'reporting directives are added when the header is sent' }],
  ['report-uri', { ...stands('tokens'), refused: 'reporting directives are added when the header is sent' }],
  // defined by other specifications, §6.6
  ['require-trusted-types-for', stands('tokens')],
  ['trusted-types', stands('tokens')],
  ['upgrade-insecure-requests', stands('nothing')],
  ['webrtc', stands('tokens')],
  [
    'block-all-mixed-content',
    { ...stands('nothing'), deprecated: 'browsers block or upgrade mixed content on their own' },
  ],
  [
    'navigate-to',
    { ...stands('sources'), deprecated: 'it was removed from CSP3 and no browser supports it' },
  ],
  ['plugin-types', { ...stands('tokens'), deprecated: 'browsers no longer have plugins' }],
  ['prefetch-src', { ...fetches('default-src'), deprecated: 'browsers use default-src for prefetches' }],
  ['referrer', { ...stands('tokens'), deprecated: 'it was replaced by the Referrer-Policy header' }],
  [
    'require-sri-for',
    { ...stands('tokens'), deprecated: 'it was removed from CSP3 and no browser supports it' },
  ],
])

/**
 * The directives that may govern a load, nearest first, starting with its own (CSP3 §6.8.3 "Get fetch directive
 * fallback list"). Empty for unknown names.
 */
export function governingNames(effectiveDirective: string): readonly string[] {
  const definition = DIRECTIVES.get(effectiveDirective)
  return definition === undefined ? [] : [effectiveDirective, ...definition.fallbacks]
}
