// The phases: the levels at which they can have rules, the fields of these rules, and their allowed actions.
import { type Configuration, requestScheme, type Scheme } from '@zonereeve/expr'
import { configuredFeatures, EVERY_FEATURE } from '../configured-features.ts'
import type { ActionName } from './actions/registry.ts'
import type { Level } from './ruleset.ts'

interface Phase {
  readonly levels: readonly Level[]
  /** Whether the response is known. */
  readonly hasResponse?: true
  readonly actions: readonly ActionName[]
  /** Why rules of the phase are refused, and what to use instead. They would seem to protect, and nothing runs them. */
  readonly notOffered?: string
}

const BOTH: readonly Level[] = ['account', 'zone']
const ZONE: readonly Level[] = ['zone']
const STOPPING: readonly ActionName[] = ['block', 'challenge', 'js_challenge', 'managed_challenge']
const DEPLOYING: readonly ActionName[] = ['execute', 'skip']
const SECURITY: readonly ActionName[] = [...STOPPING, 'log', ...DEPLOYING]

/** Phases without a level are only known by name: there is no network layer here. */
export const PHASES = {
  ddos_l4: { levels: [], actions: ['execute', 'ddos_dynamic', 'block', 'log'] },
  ddos_l7: {
    levels: BOTH,
    actions: [...STOPPING, 'log', 'execute', 'ddos_dynamic', 'force_connection_close'],
  },
  http_config_settings: { levels: ZONE, actions: ['set_config', 'skip'] },
  http_custom_errors: { levels: BOTH, hasResponse: true, actions: ['serve_error'] },
  http_log_custom_fields: { levels: ZONE, hasResponse: true, actions: ['log_custom_field'] },
  http_ratelimit: { levels: BOTH, actions: SECURITY },
  http_request_cache_settings: { levels: ZONE, actions: ['set_cache_settings'] },
  http_request_dynamic_redirect: { levels: ZONE, actions: ['redirect', 'skip'] },
  http_request_firewall_custom: { levels: BOTH, actions: SECURITY },
  http_request_firewall_managed: { levels: BOTH, actions: [...SECURITY, 'score'] },
  http_request_late_transform: { levels: ZONE, actions: ['rewrite', 'skip'] },
  http_request_origin: { levels: ZONE, actions: ['route', 'skip'] },
  http_request_redirect: { levels: BOTH, actions: ['redirect'] },
  http_request_sanitize: {
    levels: ZONE,
    actions: ['execute', 'rewrite'],
    notOffered: 'set the normalization of URLs with PUT /zones/ZONE_ID/url_normalization',
  },
  http_request_sbfm: {
    levels: ZONE,
    actions: SECURITY,
    notOffered: 'bots are not scored here; use rules of http_request_firewall_custom or http_ratelimit',
  },
  http_request_transform: { levels: ZONE, actions: ['rewrite', 'skip'] },
  http_response_cache_settings: {
    levels: ZONE,
    hasResponse: true,
    actions: ['set_cache_control', 'set_cache_settings', 'set_cache_tags'],
  },
  http_response_compression: { levels: ZONE, hasResponse: true, actions: ['compress_response'] },
  http_response_firewall_managed: {
    levels: BOTH,
    hasResponse: true,
    actions: [...DEPLOYING, 'log', 'block'],
    notOffered: 'responses are not inspected; rules of http_ratelimit can count responses by their status',
  },
  http_response_headers_transform: {
    levels: ZONE,
    hasResponse: true,
    actions: ['rewrite', 'skip', 'transform_response_html'],
  },
  magic_transit: { levels: [], actions: ['block', 'skip', 'log', 'execute'] },
  magic_transit_ids_managed: { levels: [], actions: DEPLOYING },
  magic_transit_managed: { levels: [], actions: DEPLOYING },
  magic_transit_ratelimit: { levels: [], actions: ['block'] },
} as const satisfies Readonly<Record<string, Phase>>

export type PhaseName = keyof typeof PHASES

export const isPhaseName = (text: string): text is PhaseName => Object.hasOwn(PHASES, text)

export const phaseOf = (name: PhaseName): Phase => PHASES[name]

/** Stages of the evaluation that rules of other products fill: no ruleset belongs to them. */
export const PRODUCT_STAGES = [
  'ip_access',
  'zone_lockdown',
  'user_agent',
  'browser_integrity_check',
  'hotlink_protection',
  'security_level',
] as const
export type ProductStage = (typeof PRODUCT_STAGES)[number]

/** A phase, or the rules of another product. */
export type Stage = PhaseName | ProductStage

/** What decides about requests or changes them, in order of evaluation; in each, the account's rules come first. */
export const DECIDING_STAGES = [
  'http_request_dynamic_redirect',
  'http_request_transform',
  'http_config_settings',
  'ddos_l7',
  'ip_access',
  'http_request_firewall_custom',
  'zone_lockdown',
  'user_agent',
  'browser_integrity_check',
  'hotlink_protection',
  'security_level',
  'http_ratelimit',
  'http_request_firewall_managed',
  'http_request_redirect',
  'http_request_late_transform',
] as const satisfies readonly Stage[]

/** The phases among them. */
export const DECIDING_PHASES: readonly PhaseName[] = DECIDING_STAGES.filter((name) => isPhaseName(name))

/** Phases that change responses, in order of evaluation. */
export const RESPONSE_PHASES = ['http_response_headers_transform'] as const satisfies readonly PhaseName[]

/** Answers in place of a response with an error. */
export const ERROR_PHASE = 'http_custom_errors' satisfies PhaseName

/** Adds fields to events. */
export const LOG_PHASE = 'http_log_custom_fields' satisfies PhaseName

/** All phases that take effect; rules of the others are only stored. */
export const EFFECTIVE_PHASES: readonly PhaseName[] = [
  ...DECIDING_PHASES,
  ...RESPONSE_PHASES,
  ERROR_PHASE,
  LOG_PHASE,
]

const SCHEMES = new Map<string, Scheme>()

/** Fields and functions for stored rules of a phase. Counting expressions can also use the response. */
export const schemeOf = (phase: PhaseName, level: Level, counting = false): Scheme =>
  schemeWith(phase, level, counting, EVERY_FEATURE)

/** The same for rules that are sent: fields that need more than is configured are refused with the reason. */
export const offeredSchemeOf = (phase: PhaseName, level: Level, counting = false): Scheme =>
  schemeWith(phase, level, counting, configuredFeatures())

function schemeWith(
  phase: PhaseName,
  level: Level,
  counting: boolean,
  configured: readonly Configuration[],
): Scheme {
  const hasResponse = counting || phaseOf(phase).hasResponse === true
  const key = `${level} ${hasResponse} ${configured.join()}`
  const known =
    SCHEMES.get(key) ?? requestScheme({ hasResponse, isAccountLevel: level === 'account', configured })
  SCHEMES.set(key, known)
  return known
}
