// The settings that a zone has, each with its values: to add one, add a line to the table.
import type { ServingSettings } from '../zones/index.ts'

interface Definition {
  readonly usual: unknown
  readonly isValid: (value: unknown) => boolean
}

const onOff = (usual: 'on' | 'off'): Definition => ({
  usual,
  isValid: (value) => value === 'on' || value === 'off',
})

export const ZONE_SETTINGS = {
  http2: onOff('on'),
  http3: onOff('on'),
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
