// What a token may do, in plain words.
import type { WireToken } from '../../api/tokens.ts'
import { dayOf } from '../../parts/time.tsx'
import { tokenStrings as words } from '../../strings/tokens.ts'

type Policy = WireToken['policies'][number]

/** `DNS: edit; Zone: read`. Read is not named beside edit. */
export function permissionText(groups: readonly string[]): string {
  const levels = new Map<string, 'read' | 'edit'>()
  for (const group of groups) {
    const area = group.replace(/ (Read|Write)$/, '')
    // A group without Read or Write in its name allows both.
    const level = group.endsWith(' Read') ? 'read' : 'edit'
    if (level === 'edit' || !levels.has(area)) levels.set(area, level)
  }
  return [...levels]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([area, level]) => `${area}: ${words[level]}`)
    .join('; ')
}

const ZONE = 'com.cloudflare.api.account.zone.'
const ACCOUNT = 'com.cloudflare.api.account.'
const USER = 'com.cloudflare.api.user.'

export interface Places {
  readonly allZones: boolean
  readonly zoneIds: readonly string[]
  readonly accounts: boolean
  readonly user: boolean
}

/** Where policies apply. Resources of an account can be nested. */
export function placesOf(policies: readonly Pick<Policy, 'resources'>[]): Places {
  const names = policies.flatMap(({ resources }) =>
    Object.entries(resources).flatMap(([name, value]) =>
      typeof value === 'string' ? [name] : Object.keys(value),
    ),
  )
  const zoneIds = names.filter((name) => name.startsWith(ZONE)).map((name) => name.slice(ZONE.length))
  return {
    allZones: zoneIds.includes('*'),
    zoneIds: [...new Set(zoneIds.filter((id) => id !== '*'))],
    accounts: names.some((name) => name.startsWith(ACCOUNT) && !name.startsWith(ZONE)),
    user: names.some((name) => name.startsWith(USER)),
  }
}

export interface PolicyLine {
  readonly effect: 'allow' | 'deny'
  readonly permissions: string
  readonly places: string
}

/** One line for each policy. @param nameOf a zone's name, or its id where it is not known. */
export function policyLines(
  policies: readonly Pick<Policy, 'effect' | 'resources' | 'permission_groups'>[],
  nameOf: (zoneId: string) => string,
): readonly PolicyLine[] {
  return policies.map((policy) => ({
    effect: policy.effect,
    permissions: permissionText(policy.permission_groups.map(({ id, name }) => name ?? id)),
    places: placeText(placesOf([policy]), nameOf),
  }))
}

export function placeText(
  { allZones, zoneIds, accounts, user }: Places,
  nameOf: (id: string) => string,
): string {
  const parts = allZones ? [words.allZones] : zoneIds.map(nameOf)
  return [...parts, ...(accounts ? [words.account] : []), ...(user ? [words.self] : [])].join(', ')
}

/** From where and until when. */
export function limitText({
  condition,
  expires_on: end,
}: Pick<WireToken, 'condition' | 'expires_on'>): string {
  const { in: allowed, not_in: denied } = condition?.request_ip ?? {}
  return [
    allowed === undefined ? undefined : words.from(allowed.join(', ')),
    denied === undefined ? undefined : words.notFrom(denied.join(', ')),
    allowed === undefined && denied === undefined ? words.fromAny : undefined,
    end === undefined ? words.forever : words.until(dayOf(end)),
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}

export interface Template {
  readonly key: keyof typeof words.templates
  readonly groups: readonly string[]
}

export const TEMPLATES: readonly Template[] = [
  { key: 'dns', groups: ['Zone Read', 'DNS Write'] },
  { key: 'read', groups: ['Zone Read', 'DNS Read', 'Zone Settings Read'] },
  {
    key: 'everything',
    groups: [
      'Zone Write',
      'DNS Write',
      'Zone Settings Write',
      'Zone DNS Settings Write',
      'Firewall Services Write',
      'Zone WAF Write',
      'Page Rules Write',
      'Domain Page Shield',
    ],
  },
  { key: 'monitoring', groups: ['Zone Read', 'Domain Page Shield'] },
  { key: 'firewall', groups: ['Zone Read', 'Firewall Services Write', 'Zone WAF Write'] },
]
