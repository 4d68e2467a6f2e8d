// The settings of a zone, each with its values: to add one, add a line to the table.
import { hasLegacyWaf, type Plan, type PublicationSettings } from '../zones/index.ts'

interface Definition {
  readonly default: string
  readonly isValid: (value: unknown) => boolean
  /** Answers depend on it: changing it is a change of the zone's DNS. */
  readonly isServed: boolean
  /** On other plans it is off and cannot be changed. */
  readonly isOffered: (plan: Plan) => boolean
}

/** The vendor's values. */
const SECURITY_LEVELS = ['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'] as const

const isOnOrOff = (value: unknown): boolean => value === 'on' || value === 'off'
const isSecurityLevel = (value: unknown): boolean => SECURITY_LEVELS.some((level) => level === value)
const served: Definition = { default: 'on', isValid: isOnOrOff, isServed: true, isOffered: () => true }

/** Pages are challenged. The other levels compare a threat score, which requests do not have here. */
export const UNDER_ATTACK = 'under_attack'

export const ZONE_SETTINGS = {
  http2: served,
  http3: served,
  security_level: {
    default: 'medium',
    isValid: isSecurityLevel,
    isServed: false,
    isOffered: () => true,
  },
  /** Legacy managed rules, as a whole. */
  waf: { default: 'on', isValid: isOnOrOff, isServed: false, isOffered: hasLegacyWaf },
} as const satisfies Readonly<Record<string, Definition>>

export type SettingName = keyof typeof ZONE_SETTINGS

/** In the order of lists. */
export const SETTING_NAMES = Object.keys(ZONE_SETTINGS) as SettingName[] // the keys of the table, by their type

export const isSettingName = (text: string): text is SettingName => Object.hasOwn(ZONE_SETTINGS, text)

/** The settings that answers depend on. */
export type Switches = Pick<PublicationSettings, 'http2' | 'http3'>

/** @param stored the values that were set. */
export function toSwitches(stored: ReadonlyMap<string, unknown>): Switches {
  const isOn = (name: SettingName): boolean => (stored.get(name) ?? ZONE_SETTINGS[name].default) === 'on'
  return { http2: isOn('http2'), http3: isOn('http3') }
}

export const DEFAULT_SWITCHES: Switches = toSwitches(new Map())
