// What test suites import from the npm package, as it is built.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isAuthoritative } from '../testing/authority.ts'
import type { startZonereeve as Start } from './start-zonereeve.ts'

const BUILT = new URL('../../dist/start-zonereeve.js', import.meta.url)
const { startZonereeve } = (await import(BUILT.href)) as {
  readonly startZonereeve: typeof Start
}

/** Where the servers of a test have their data. */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-zonereeve-'))
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

describe('startZonereeve', () => {
  test('starts servers that know nothing of each other or of the environment, and leaves nothing', async () => {
    vi.stubEnv('ZONEREEVE_HTTP', 'not an address')
    const servers = await Promise.all([startZonereeve(), startZonereeve()])
    const [first, second] = servers
    try {
      const headers = { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: 'example.com' })
      const created = await fetch(`${first.baseUrl}/zones`, { method: 'POST', headers, body })
      expect(created.status).toBe(200)
      expect(await isAuthoritative(first.dns.port)).toBe(true)
      expect(await isAuthoritative(second.dns.port)).toBe(false)
      expect((await fetch(`${second.baseUrl}/zones`, { headers })).ok).toBe(false)
      expect(readdirSync(folder)).toHaveLength(2)
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
    await first.stop()
    expect(readdirSync(folder)).toEqual([])
    await expect(fetch(`${first.baseUrl}/zones`)).rejects.toThrow('fetch failed')
  })

  test('with control, resets the server; without, says what is missing', async () => {
    const servers = await Promise.all([startZonereeve({ control: true }), startZonereeve()])
    const [controlled, other] = servers
    try {
      await controlled.control.seed([{ name: 'example.com' }])
      expect(await isAuthoritative(controlled.dns.port)).toBe(true)
      await controlled.control.reset()
      expect(await isAuthoritative(controlled.dns.port)).toBe(false)
      await expect(other.control.reset()).rejects.toThrow('start the server with control: true')
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
    expect(readdirSync(folder)).toEqual([])
  })

  test.each([
    [
      'an argument that it chooses itself',
      { args: ['--data=/nonexistent/x'] },
      /chooses --data=\/nonexistent\/x itself/,
    ],
    ['an unknown argument', { args: ['--no-such-option'] }, /exit code 2[^]*no-such-option/],
    ['too little time', { timeoutMs: 1 }, /not ready within 1 ms/],
  ])('refuses %s, and leaves nothing', async (_, options, message) => {
    await expect(startZonereeve(options)).rejects.toThrow(message)
    expect(readdirSync(folder)).toEqual([])
    expect(existsSync('/nonexistent/x')).toBe(false)
  })
})
