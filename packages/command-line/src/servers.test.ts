// The file of stored servers: readable only by its owner, replaced as a whole, refused if it is not as expected.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serversPath } from './client-config.ts'
import { readServers, writeServers } from './servers.ts'

const SERVERS = { current: 'home', servers: { home: { url: 'https://dns.example.com/v4', token: 'secret' } } }

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonereeve-servers-'))
  path = serversPath({ XDG_CONFIG_HOME: join(folder, 'config') })
})
afterEach(() => rmSync(folder, { recursive: true }))

test('what is written is read, by its owner only, and nothing else is left', () => {
  expect(readServers(path)).toEqual({ current: undefined, servers: {} })
  const umask = process.umask(0)
  try {
    writeServers(SERVERS, path)
    writeServers(SERVERS, path)
  } finally {
    process.umask(umask)
  }
  expect(readServers(path)).toEqual(SERVERS)
  expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
  expect(readdirSync(dirname(path))).toEqual(['servers.json'])
})

test.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['servers without tokens', '{"servers":{"home":{"url":"https://dns.example.com"}}}'],
  ['a current server that is no name', '{"current":1,"servers":{}}'],
])('%s is refused', (_, text) => {
  writeServers(SERVERS, path)
  writeFileSync(path, text)
  expect(() => readServers(path)).toThrow(/not a file of zonereeve login/)
})

test('a file that other users may read is refused', () => {
  writeServers(SERVERS, path)
  chmodSync(path, 0o640)
  expect(() => readServers(path)).toThrow(/other users may read it: chmod 600/)
})
