// The settings that a zone has, each with its values: to add one, add a line to the table.
import { hasPreviousWaf, type Plan, type ServingSettings } from '../zones/index.ts'

interface Definition {
  readonly usual: 'on' | 'off'
  readonly isValid: (value: unknown) => boolean
  /** Answers depend on it: a change of it is one of the zone's DNS. */
  readonly isServed: boolean
  /** On other plans it is off, and stays so. */
  readonly isOffered: (plan: Plan) => boolean
}

const isOnOrOff = (value: unknown): boolean => value === 'on' || value === 'off'
const served: Definition = { usual: 'on', isValid: isOnOrOff, isServed: true, isOffered: () => true }

export const ZONE_SETTINGS = {
  http2: served,
  http3: served,
  /** The previous managed rules, as a whole. */
  waf: { usual: 'on', isValid: isOnOrOff, isServed: false, isOffered: hasPreviousWaf },
} as const satisfies Readonly<Record<string, Definition>>

export type SettingName = keyof typeof ZONE_SETTINGS

/** In the order of lists. */
export const SETTING_NAMES = Object.keys(ZONE_SETTINGS) as SettingName[] // the keys of the table, by their type

export const isSettingName = (text: string): text is SettingName => Object.hasOwn(ZONE_SETTINGS, text)

/** Those of the settings that answers depend on. */
export type Switches = Pick<ServingSettings, 'http2' | 'http3'>

/** @param stored values that were ever set. */
export function toSwitches(stored: ReadonlyMap<string, unknown>): Switches {
  const isOn = (name: SettingName): boolean => (stored.get(name) ?? ZONE_SETTINGS[name].usual) === 'on'
  return { http2: isOn('http2'), http3: isOn('http3') }
}

export const USUAL_SWITCHES: Switches = toSwitches(new Map())
