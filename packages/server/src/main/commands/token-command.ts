// zonereeve token create: writes a token directly into the data folder, even while a server uses it.
import { MAX_TOKEN_NAME_CHARACTERS, PERMISSION_GROUPS } from '@zonereeve/contract'
import type { Config } from '@zonereeve/config'
import { createTokens, type TokenDefinition } from '../../features/accounts/tokens/index.ts'
import { findFirstUser } from '../../features/accounts/users/index.ts'
import { findZoneNamed } from '../../features/zones/zones/index.ts'
import { randomIds, SYSTEM, systemClock } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { GROUPS, TEMPLATES } from './token-templates.ts'
import { withStorage } from './with-storage.ts'

const ALL_ZONES = 'com.cloudflare.api.account.zone.*'

export async function createTokenCommand(
  config: Config,
  desired: { readonly name: string; readonly template: string },
): Promise<void> {
  rejectUnknown(desired)
  await withStorage(config, async (storage, database) => {
    const deps = { storage, clock: systemClock(), ids: randomIds() }
    const resource = await resourceOf(desired.template, storage)
    const user = await findFirstUser(storage)
    if (user === undefined)
      throw new Error(`${database}: has no user yet; start zonereeve serve with it once`)
    const owner = { kind: 'user', id: user.id } as const
    const tokens = createTokens(deps)
    const made =
      desired.template === 'admin'
        ? await tokens.createAdministrator(owner, desired.name, SYSTEM)
        : await tokens.create(owner, definition(desired, resource), SYSTEM)
    // Scripts read the value from stdout; the ID, by which the API deletes the token, is for people.
    process.stderr.write(`token id: ${made.token.id}\n`)
    process.stdout.write(`${made.value}\n`)
  })
}

/** Rejects all invalid input before anything is written. */
function rejectUnknown({ name, template }: { readonly name: string; readonly template: string }): void {
  const [kind = '', zoneName, ...more] = template.split(':')
  const isZoneTemplate = Object.hasOwn(GROUPS, kind) && zoneName !== '' && more.length === 0
  const isKnown = template === 'admin' || isZoneTemplate
  if (!isKnown) throw new Error(`unknown template ${template}; use one of ${TEMPLATES}`)
  const length = [...name].length
  if (length === 0 || length > MAX_TOKEN_NAME_CHARACTERS || /\p{Cc}/u.test(name)) {
    throw new Error(`--name must have 1 to ${MAX_TOKEN_NAME_CHARACTERS} characters and no control characters`)
  }
}

const noZone = (name: string) => new Error(`unknown zone ${name}`)

async function resourceOf(template: string, storage: Storage): Promise<string> {
  const zoneName = template.split(':')[1]
  if (zoneName === undefined) return ALL_ZONES
  const zone = await findZoneNamed(storage, zoneName)
  if (zone === undefined) throw noZone(zoneName)
  return `com.cloudflare.api.account.zone.${zone.id}`
}

function definition(
  { name, template }: { name: string; template: string },
  resource: string,
): TokenDefinition {
  const wants = GROUPS[template.replace(/:.*$/s, '')] ?? (() => false)
  const groupIds = PERMISSION_GROUPS.filter((group) => wants(group.name, group.scope)).map(({ id }) => id)
  return {
    name,
    status: 'active',
    policies: [{ effect: 'allow', resources: { [resource]: '*' }, groupIds }],
    condition: null,
    notBefore: null,
    expiresOn: null,
  }
}
