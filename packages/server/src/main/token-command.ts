// zonereeve token create: a token straight into the data folder, also while a server uses it.
import { existsSync } from 'node:fs'
import { MAX_TOKEN_NAME_CHARACTERS, PERMISSION_GROUPS } from '@zonereeve/contract'
import { databasePath, type Config } from '../config/index.ts'
import { createTokens, type TokenDefinition } from '../features/tokens/index.ts'
import { findFirstUser } from '../features/users/index.ts'
import { findZoneNamed } from '../features/zones/index.ts'
import { SYSTEM } from '../platform/actor.ts'
import { systemClock } from '../platform/clock.ts'
import { randomIds } from '../platform/ids.ts'
import { silentLog } from '../platform/log.ts'
import { openSqliteStorage, type Storage } from '../storage/index.ts'
import { ensureAdministrator } from './first-start.ts'

const ALL_ZONES = 'com.cloudflare.api.account.zone.*'

export async function createTokenCommand(
  config: Config,
  wanted: { readonly name: string; readonly template: string },
): Promise<void> {
  refuseUnknown(wanted)
  const path = databasePath(config)
  const [, zoneName] = wanted.template.split(':')
  // Looked for where there is a database only: a mistyped folder would get one.
  if (zoneName !== undefined && !existsSync(path)) throw noZone(zoneName)
  const storage = await openSqliteStorage(path, silentLog)
  try {
    const deps = { storage, clock: systemClock(), ids: randomIds() }
    const resource = await resourceOf(wanted.template, storage)
    await ensureUser(config, deps)
    const user = await findFirstUser(storage)
    if (user === undefined) throw new Error('the database has no user')
    const owner = { kind: 'user', id: user.id } as const
    const tokens = createTokens(deps)
    const made =
      wanted.template === 'admin'
        ? await tokens.createAdministrator(owner, wanted.name, SYSTEM)
        : await tokens.create(owner, definition(wanted, resource), SYSTEM)
    process.stdout.write(`${made.value}\n`)
  } finally {
    await storage.close()
  }
}

/** Everything that can be wrong before anything is written. */
function refuseUnknown({ name, template }: { readonly name: string; readonly template: string }): void {
  const [kind = '', zoneName, ...more] = template.split(':')
  const isZoneTemplate = Object.hasOwn(GROUPS, kind) && zoneName !== '' && more.length === 0
  const isKnown = template === 'admin' || isZoneTemplate
  if (!isKnown) {
    throw new Error(
      `there is no template ${template}; use admin, dns-edit, dns-edit:ZONE, read-only or read-only:ZONE`,
    )
  }
  const length = [...name].length
  if (length === 0 || length > MAX_TOKEN_NAME_CHARACTERS || /\p{Cc}/u.test(name)) {
    throw new Error(
      `a name has 1 to ${MAX_TOKEN_NAME_CHARACTERS} characters, none of them a control character`,
    )
  }
}

const noZone = (name: string) => new Error(`there is no zone ${name}`)

// A token may be made before the first start of the server; its administrator's token is then told there.
async function ensureUser(config: Config, deps: Parameters<typeof ensureAdministrator>[0]): Promise<void> {
  if ((await findFirstUser(deps.storage)) !== undefined) return
  const token = await ensureAdministrator(deps, {
    token: config.adminToken,
    email: config.adminEmail,
    key: config.adminKey,
  })
  if (token !== undefined) process.stderr.write(`administrator's token (shown once): ${token}\n`)
}

async function resourceOf(template: string, storage: Storage): Promise<string> {
  const zoneName = template.split(':')[1]
  if (zoneName === undefined) return ALL_ZONES
  const zone = await findZoneNamed(storage, zoneName)
  if (zone === undefined) throw noZone(zoneName)
  return `com.cloudflare.api.account.zone.${zone.id}`
}

const GROUPS: Readonly<Record<string, (name: string, scope: string) => boolean>> = {
  'dns-edit': (name) => ['Zone Read', 'DNS Read', 'DNS Write'].includes(name),
  'read-only': (name, scope) => scope === 'zone' && name.endsWith(' Read'),
}

function definition(
  { name, template }: { name: string; template: string },
  resource: string,
): TokenDefinition {
  const wants = GROUPS[template.split(':')[0] ?? ''] ?? (() => false)
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
