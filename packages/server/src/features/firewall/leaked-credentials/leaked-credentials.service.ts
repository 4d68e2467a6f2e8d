// Whether the credentials in a zone's requests are checked against leaks, and where they are: one setting of the zone.
import {
  type CredentialLocation,
  type CredentialSettings,
  expression,
  leakedPasswords,
  REQUEST_SCHEME,
} from '@zonereeve/firewall'
import { type Actor, DomainError, type Ids, throwIfIssues } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { createOwnSetting, type OwnSetting, type OwnSettingDeps, ownSettingOf } from '../../zones/index.ts'

/** Places of a zone: as many as on the vendor's largest plan. */
const MAX_LOCATIONS = 10
const SETTING: OwnSetting<CredentialSettings> = {
  name: 'leaked_credential_checks',
  initial: { isEnabled: false, locations: [] },
  kind: 'leaked_credentials.update',
}

export type LeakedCredentials = ReturnType<typeof createLeakedCredentials>

export interface LeakedCredentialsDeps extends OwnSettingDeps {
  readonly ids: Ids
}

export const credentialSettingsOf = (db: Reader, zoneId: string): Promise<CredentialSettings> =>
  ownSettingOf(db, zoneId, SETTING)

export function createLeakedCredentials({ ids, ...deps }: LeakedCredentialsDeps) {
  const { get, update } = createOwnSetting(deps, SETTING)
  return { get, enable, location, addLocation, replaceLocation, removeLocation }

  /** @throws DomainError: zone.unknown, leaked_credentials.unavailable. */
  function enable(zoneId: string, isEnabled: boolean, actor: Actor): Promise<CredentialSettings> {
    if (isEnabled && leakedPasswords() === undefined)
      throw new DomainError({ reason: 'leaked_credentials.unavailable', pointer: '/enabled' })
    return update(zoneId, actor, (before) =>
      before.isEnabled === isEnabled ? before : { ...before, isEnabled },
    )
  }

  /** @throws DomainError: zone.unknown, leaked_credentials.unknown. */
  async function location(zoneId: string, id: string): Promise<CredentialLocation> {
    return requireLocation(await get(zoneId), id)
  }

  /** @throws DomainError: zone.unknown, leaked_credentials.quota, ruleset.expression. */
  async function addLocation(
    zoneId: string,
    { username, password }: Omit<CredentialLocation, 'id'>,
    actor: Actor,
  ): Promise<CredentialLocation> {
    const added = { id: ids.id(), username, password }
    requireExpressions(added)
    await update(zoneId, actor, (before) => {
      if (before.locations.length >= MAX_LOCATIONS)
        throw new DomainError({
          reason: 'leaked_credentials.quota',
          values: { limit: MAX_LOCATIONS },
        })
      return { ...before, locations: [...before.locations, added] }
    })
    return added
  }

  /** @throws DomainError: zone.unknown, leaked_credentials.unknown, ruleset.expression. */
  async function replaceLocation(
    zoneId: string,
    { id, username, password }: CredentialLocation,
    actor: Actor,
  ): Promise<CredentialLocation> {
    const changed = { id, username, password }
    requireExpressions(changed)
    await update(zoneId, actor, (before) => {
      const known = requireLocation(before, id)
      if (known.username === username && known.password === password) return before
      return { ...before, locations: before.locations.map((one) => (one.id === id ? changed : one)) }
    })
    return changed
  }

  /** @throws DomainError: zone.unknown, leaked_credentials.unknown. */
  async function removeLocation(zoneId: string, id: string, actor: Actor): Promise<void> {
    await update(zoneId, actor, (before) => {
      requireLocation(before, id)
      return { ...before, locations: before.locations.filter((one) => one.id !== id) }
    })
  }
}

function requireLocation({ locations }: CredentialSettings, id: string): CredentialLocation {
  const found = locations.find((one) => one.id === id)
  if (found === undefined) throw new DomainError({ reason: 'leaked_credentials.unknown' })
  return found
}

const textExpression = expression()

/** A user name may be missing, a password may not. */
function requireExpressions({ username, password }: Omit<CredentialLocation, 'id'>): void {
  const context = { scheme: REQUEST_SCHEME }
  throwIfIssues([
    ...(username === '' ? [] : textExpression(username, '/username', context)),
    ...textExpression(password, '/password', context),
  ])
}
