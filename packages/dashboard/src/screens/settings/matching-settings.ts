// Which settings match what is typed.
import type { WireServerSetting } from '../../api/server-health.ts'

interface SettingSearch {
  readonly q?: string | undefined
  /** `yes`: only those that are not a default. */
  readonly set?: string | undefined
}

/** Every word in name, description, value or origin. */
export function matchingSettings(
  settings: readonly WireServerSetting[],
  { q, set }: SettingSearch,
): readonly WireServerSetting[] {
  const words = q === undefined ? [] : q.toLowerCase().split(/\s+/)
  return settings.filter((setting) => {
    const all = [setting.name, setting.environment, setting.description, setting.value, setting.origin]
    const searched = all
      .filter((part) => part !== null)
      .join('\n')
      .toLowerCase()
    return words.every((word) => searched.includes(word)) && (set !== 'yes' || setting.origin !== 'default')
  })
}
