// Changes of headers that a zone only switches on. They come before its own rules, which therefore have the last word.
import { compileAnyHeaders, type HeaderEdits, type WrittenHeader } from './header-edits.ts'
import type { CompiledRule, CompiledRuleset } from '../rulesets/compiled-ruleset.ts'
import { schemeOf } from '../rulesets/phases.ts'

type ManagedPhase = 'http_request_late_transform' | 'http_response_headers_transform'

interface ManagedHeaders {
  readonly phase: ManagedPhase
  readonly description: string
  readonly headers: Readonly<Record<string, WrittenHeader>>
}

const by = (expression: string): WrittenHeader => ({ operation: 'set', expression })
const to = (value: string): WrittenHeader => ({ operation: 'set', value })

/** By the vendor's names. */
export const MANAGED_HEADERS = {
  add_true_client_ip_headers: {
    phase: 'http_request_late_transform',
    description: 'The address of the client',
    headers: { 'true-client-ip': by('to_string(ip.src)') },
  },
  add_visitor_location_headers: {
    phase: 'http_request_late_transform',
    description: 'The location of the client',
    headers: {
      'cf-ipcity': by('ip.src.city'),
      'cf-ipcountry': by('ip.src.country'),
      'cf-ipcontinent': by('ip.src.continent'),
      'cf-iplatitude': by('ip.src.lat'),
      'cf-iplongitude': by('ip.src.lon'),
      'cf-metro-code': by('ip.src.metro_code'),
      'cf-postal-code': by('ip.src.postal_code'),
      'cf-region': by('ip.src.region'),
      'cf-region-code': by('ip.src.region_code'),
      'cf-timezone': by('ip.src.timezone.name'),
    },
  },
  'remove_x-powered-by_header': {
    phase: 'http_response_headers_transform',
    description: 'What the origin runs on',
    headers: { 'x-powered-by': { operation: 'remove' } },
  },
  add_security_headers: {
    phase: 'http_response_headers_transform',
    description: 'Headers of security',
    headers: {
      'x-content-type-options': to('nosniff'),
      'x-xss-protection': to('1; mode=block'),
      'x-frame-options': to('SAMEORIGIN'),
      'referrer-policy': to('same-origin'),
      'expect-ct': to('max-age=86400, enforce'),
    },
  },
} as const satisfies Readonly<Record<string, ManagedHeaders>>

export type ManagedHeaderName = keyof typeof MANAGED_HEADERS

export const MANAGED_HEADER_NAMES = Object.keys(MANAGED_HEADERS) as readonly ManagedHeaderName[] // of that table

/** @returns undefined if none of them is of the phase. */
export function managedHeaderRules(
  enabled: readonly ManagedHeaderName[],
  phase: ManagedPhase,
): CompiledRuleset | undefined {
  const scheme = schemeOf(phase, 'zone')
  const rules = enabled
    .filter((name) => MANAGED_HEADERS[name].phase === phase)
    .map((name): CompiledRule => {
      const { description, headers } = MANAGED_HEADERS[name]
      return ruleOf(name, description, compileAnyHeaders(headers, scheme))
    })
  return rules.length === 0
    ? undefined
    : { id: 'managed_headers', level: 'zone', phase, version: 1, scheme, rules }
}

const ruleOf = (name: ManagedHeaderName, description: string, headers: HeaderEdits): CompiledRule => ({
  id: name,
  ref: name,
  level: 'zone',
  description,
  action: 'rewrite',
  expression: 'true',
  matches: () => true,
  parameters: {},
  skip: undefined,
  execution: undefined,
  isHeavy: false,
  rateLimit: undefined,
  isLogged: false,
  fromList: undefined,
  rewrite: { uri: undefined, headers },
})
