// The settings that a page rule can have, with their allowed values. To add a setting, add a line to the table.

/** A problem with a part of a value; the pointer is relative to the value. */
export interface ValueProblem {
  readonly pointer: string
  readonly problem: string
}

type ValueKind =
  /** The setting has no value; some clients send null or `on`. */
  | { readonly type: 'none' }
  | { readonly type: 'toggle' }
  | { readonly type: 'select'; readonly choices: readonly string[] }
  /** Integers. */
  | { readonly type: 'range'; readonly min: number; readonly max: number }
  /** Length in characters. */
  | { readonly type: 'text'; readonly min: number; readonly max: number }
  | { readonly type: 'object'; readonly check: (value: object) => readonly ValueProblem[] }

export interface SettingProperty {
  readonly name: string
  readonly type: string
  readonly min?: number
  readonly max?: number
  readonly choices?: readonly string[]
}

const MAX_TTL_SECONDS = 31_536_000
const MAX_COOKIE_PATTERN = 150
const MAX_HOST = 255
const MAX_FORWARDING_URL = 1_500
const MAX_LISTED = 50

const none: ValueKind = { type: 'none' }
const toggle: ValueKind = { type: 'toggle' }
const select = (...choices: string[]): ValueKind => ({ type: 'select', choices })
const range = (min: number, max: number): ValueKind => ({ type: 'range', min, max })
const text = (min: number, max: number): ValueKind => ({ type: 'text', min, max })
const object = (check: (value: object) => readonly ValueProblem[]): ValueKind => ({ type: 'object', check })

/** The settings of the published schema, and four retired ones that existing rules still use. */
const SETTINGS: Readonly<Record<string, ValueKind>> = {
  always_online: toggle,
  always_use_https: none,
  automatic_https_rewrites: toggle,
  browser_cache_ttl: range(0, MAX_TTL_SECONDS),
  browser_check: toggle,
  bypass_cache_on_cookie: text(1, MAX_COOKIE_PATTERN),
  cache_by_device_type: toggle,
  cache_deception_armor: toggle,
  cache_key_fields: object(cacheKeyProblems),
  cache_level: select('bypass', 'basic', 'simplified', 'aggressive', 'cache_everything'),
  cache_on_cookie: text(1, MAX_COOKIE_PATTERN),
  cache_ttl_by_status: object(statusTtlProblems),
  disable_apps: none,
  disable_performance: none,
  disable_railgun: none,
  disable_security: none,
  disable_zaraz: none,
  edge_cache_ttl: range(1, MAX_TTL_SECONDS),
  email_obfuscation: toggle,
  explicit_cache_control: toggle,
  forwarding_url: object(forwardingProblems),
  host_header_override: text(1, MAX_HOST),
  ip_geolocation: toggle,
  minify: object((value) => memberProblems(value, { css: isToggle, html: isToggle, js: isToggle })),
  mirage: toggle,
  opportunistic_encryption: toggle,
  origin_error_page_pass_thru: toggle,
  polish: select('off', 'lossless', 'lossy'),
  resolve_override: text(1, MAX_HOST),
  respect_strong_etag: toggle,
  response_buffering: toggle,
  rocket_loader: toggle,
  security_level: select('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
  server_side_exclude: toggle,
  sort_query_string_for_cache: toggle,
  ssl: select('off', 'flexible', 'full', 'strict', 'origin_pull'),
  true_client_ip_header: toggle,
  waf: toggle,
}

export const isPageRuleSetting = (id: string): boolean => Object.hasOwn(SETTINGS, id)

/** True for settings without a value. */
export const hasNoValue = (id: string): boolean => SETTINGS[id]?.type === 'none'

/** Problems with the value of a setting. */
export function settingProblems(id: string, value: unknown): readonly ValueProblem[] {
  const kind = SETTINGS[id] ?? none
  switch (kind.type) {
    case 'none':
      return value === undefined || value === null || value === 'on' ? [] : here('has no value')
    case 'toggle':
      return isToggle(value) ? [] : here('must be on or off')
    case 'select':
      return kind.choices.some((choice) => choice === value)
        ? []
        : here(`must be one of ${kind.choices.join(', ')}`)
    case 'range':
      return isWholeNumber(value) && value >= kind.min && value <= kind.max
        ? []
        : here(`must be a whole number from ${kind.min} to ${kind.max}`)
    case 'text':
      return isText(value) && value.length >= kind.min && value.length <= kind.max
        ? []
        : here(`must be a string of ${kind.min} to ${kind.max} characters`)
    case 'object':
      return isObject(value) ? kind.check(value) : here('must be an object')
  }
}

/** All settings with the properties of their values, for forms. */
export function pageRuleSettings(): {
  readonly id: string
  readonly properties: readonly SettingProperty[]
}[] {
  return Object.entries(SETTINGS).map(([id, kind]) => ({ id, properties: propertiesOf(kind) }))
}

function propertiesOf(kind: ValueKind): readonly SettingProperty[] {
  switch (kind.type) {
    case 'none':
      return []
    case 'object':
    case 'toggle':
      return [{ name: 'value', type: kind.type }]
    case 'select':
      return [{ name: 'value', type: kind.type, choices: kind.choices }]
    case 'range':
    case 'text':
      return [{ name: 'value', type: kind.type, min: kind.min, max: kind.max }]
  }
}

const here = (problem: string): readonly ValueProblem[] => [{ pointer: '', problem }]
const isToggle = (value: unknown): boolean => value === 'on' || value === 'off'
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isText = (value: unknown): value is string => typeof value === 'string'
const isWholeNumber = (value: unknown): value is number => Number.isInteger(value)
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isListOfStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MAX_LISTED && value.every((item) => isText(item) && item !== '')
const isListOrAll = (value: unknown): boolean => value === '*' || isListOfStrings(value)

type Check = (value: unknown) => boolean
type MemberChecks = Readonly<Record<string, Check>>

/** Unknown members, and members with invalid values. */
function memberProblems(value: object, members: MemberChecks, at = ''): ValueProblem[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const check = Object.hasOwn(members, name) ? members[name] : undefined
    const pointer = `${at}/${name}`
    if (check === undefined)
      return [{ pointer, problem: `is unknown; it must be one of ${Object.keys(members).join(', ')}` }]
    return check(member) ? [] : [{ pointer, problem: 'has an invalid value' }]
  })
}

const CACHE_KEY_PARTS: Readonly<Record<string, MemberChecks>> = {
  cookie: { check_presence: isListOfStrings, include: isListOfStrings },
  header: { check_presence: isListOfStrings, exclude: isListOfStrings, include: isListOfStrings },
  host: { resolved: isFlag },
  query_string: { exclude: isListOrAll, ignore: isFlag, include: isListOrAll },
  user: { device_type: isFlag, geo: isFlag, lang: isFlag },
}

function cacheKeyProblems(value: object): ValueProblem[] {
  return Object.entries(value).flatMap(([part, members]: [string, unknown]) => {
    const known = Object.hasOwn(CACHE_KEY_PARTS, part) ? CACHE_KEY_PARTS[part] : undefined
    if (known === undefined) {
      const problem = `is unknown; it must be one of ${Object.keys(CACHE_KEY_PARTS).join(', ')}`
      return [{ pointer: `/${part}`, problem }]
    }
    if (!isObject(members)) return [{ pointer: `/${part}`, problem: 'must be an object' }]
    return memberProblems(members, known, `/${part}`)
  })
}

/** `200`, or `200-299`. */
const STATUS_CODES = /^[1-5]\d\d(-[1-5]\d\d)?$/

function statusTtlProblems(value: object): ValueProblem[] {
  return Object.entries(value).flatMap(([codes, ttl]: [string, unknown]) => {
    if (!STATUS_CODES.test(codes))
      return [{ pointer: `/${codes}`, problem: 'is neither a status code nor a range like 200-299' }]
    // Older clients send 0 and -1 for no-cache and no-store.
    const isTtl = isWholeNumber(ttl) && ttl >= -1 && ttl <= MAX_TTL_SECONDS
    return isTtl || ttl === 'no-cache' || ttl === 'no-store'
      ? []
      : [{ pointer: `/${codes}`, problem: 'must be seconds, no-cache or no-store' }]
  })
}

function forwardingProblems(value: object): ValueProblem[] {
  const missing = ['url', 'status_code'].filter((name) => !Object.hasOwn(value, name))
  const isUrl: Check = (url) => isText(url) && url !== '' && url.length <= MAX_FORWARDING_URL
  const isRedirect: Check = (code) => code === 301 || code === 302
  return [
    ...missing.map((name) => ({ pointer: `/${name}`, problem: 'is required' })),
    ...memberProblems(value, { url: isUrl, status_code: isRedirect }),
  ]
}
