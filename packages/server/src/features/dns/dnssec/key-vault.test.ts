// Private keys at rest, and starting with another secret.
import { describe, expect, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { startApp, type App } from '../../../main/app.ts'
import {
  createKeyVault,
  isSealed,
  KeyVaultError,
  randomIds,
  silentLog,
  SYSTEM,
  systemClock,
} from '@zonereeve/platform'
import { SYSTEM_CALLER } from '../../accounts/index.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'

const SECRET = 'a-secret'.repeat(5)
const plain = new TextEncoder().encode('private half')

describe('the vault', () => {
  test('without a secret stores keys in plain', () => {
    const vault = createKeyVault(undefined)
    const stored = vault.seal(plain, 'zone/key')
    expect([isSealed(stored), vault.isSealing]).toEqual([false, false])
    expect([...vault.open(stored, 'zone/key')]).toEqual([...plain])
  })

  test('with a secret returns what it sealed, and the stored form reveals nothing', () => {
    const vault = createKeyVault(SECRET)
    const stored = vault.seal(plain, 'zone/key')
    expect([isSealed(stored), vault.isSealing]).toEqual([true, true])
    expect([...createKeyVault(SECRET).open(stored, 'zone/key')]).toEqual([...plain])
    expect(Buffer.from(stored).includes(Buffer.from(plain))).toBe(false)
    expect(Buffer.from(vault.seal(plain, 'zone/key')).equals(stored)).toBe(false)
  })

  test.each([
    ['another secret', createKeyVault(`${SECRET}!`), 'zone/key'],
    ['no secret', createKeyVault(undefined), 'zone/key'],
    ['another row', createKeyVault(SECRET), 'zone/other'],
  ])('rejects %s', (_, vault, belongsTo) => {
    const stored = createKeyVault(SECRET).seal(plain, 'zone/key')
    expect(() => vault.open(stored, belongsTo)).toThrow(KeyVaultError)
  })

  test('rejects changed octets', () => {
    const vault = createKeyVault(SECRET)
    const stored = Uint8Array.from(vault.seal(plain, 'zone/key'))
    stored[stored.length - 1] = (stored.at(-1) ?? 0) ^ 1
    expect(() => vault.open(stored, 'zone/key')).toThrow(KeyVaultError)
  })
})

describe('the program', () => {
  test.each([
    ['the same secret', SECRET, undefined],
    ['another secret', `${SECRET}!`, /another secret/],
    ['no secret', undefined, /encrypted secrets, and their key .* is missing/],
  ])('with %s', async (_, secret, refusal) => {
    const folder = scratchFolder()
    const first = await start(folder, SECRET)
    const zone = await signedZone(first)
    await first.close()
    if (refusal !== undefined) return await expect(start(folder, secret)).rejects.toThrow(refusal)
    const second = await start(folder, secret)
    expect((await second.dnssec.get(zone)).dnssec?.status).toBe('pending')
    await second.close()
  })

  test('re-seals keys of the key file with a secret, and they stay the same keys', async () => {
    const folder = scratchFolder()
    const first = await start(folder, undefined)
    const zone = await signedZone(first)
    const before = (await first.dnssec.get(zone)).dnssec?.keys ?? []
    await first.close()
    const second = await start(folder, SECRET)
    const after = (await second.dnssec.get(zone)).dnssec?.keys ?? []
    await second.close()
    expect(before.map(({ secret }) => isSealed(secret))).toEqual([true, true])
    expect(after.map(({ secret }) => isSealed(secret))).toEqual([true, true])
    const publicKeys = (keys: typeof after) => keys.map(({ id, publicKey }) => [id, [...publicKey]])
    expect(publicKeys(after)).toEqual(publicKeys(before))
  })
})

const start = (folder: string, secret: string | undefined) =>
  startApp({
    config: loadConfig({
      flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0', 'dns-threads': '0', resolver: 'off', data: folder },
      environment: secret === undefined ? {} : { ZONEREEVE_KEY_ENCRYPTION_SECRET: secret },
    }),
    clock: systemClock(),
    ids: randomIds(),
    log: silentLog,
  })

async function signedZone({ zones, dnssec }: App): Promise<string> {
  const { id } = await zones.create({ name: 'sealed.example' }, SYSTEM_CALLER, SYSTEM)
  const patch = {
    status: 'active',
    multiSigner: undefined,
    presigned: undefined,
    useNsec3: undefined,
  } as const
  await dnssec.edit(id, patch, SYSTEM)
  return id
}
