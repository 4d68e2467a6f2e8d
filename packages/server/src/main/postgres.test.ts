// The program with its data in PostgreSQL: the database ends and comes back, the program is killed, and a second one
// is refused.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { createHttpClient, type Received } from '../testing/http-client.ts'
import { ON_FREE_PORTS, runProgram } from '../testing/run-program.ts'

const TOKEN = 'token-of-the-postgres-test-0123456789-ab'
const PATIENT = { timeout: 5 * START_MILLIS }

const run = (database: string, ...command: readonly string[]) =>
  runProgram({ ZONEREEVE_ADMIN_TOKEN: TOKEN, ZONEREEVE_DATABASE: database }, command)

const serve = (database: string, folder: string) => run(database, 'serve', '--data', folder, ...ON_FREE_PORTS)

describeWith('postgresql', 'the program with PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  test(
    'answers DNS while the database is gone, refuses writes, recovers, and keeps what it acknowledged',
    async () => {
      const [database, folder] = [await server.createDatabase(), scratchFolder()]
      const first = serve(database, folder)
      const { port, resolver } = await first.ready
      const client = createHttpClient()
      onTestFinished(() => client.close())
      const at = (to: number) => (method: string, path: string, body?: object) =>
        client.send(to, {
          method,
          path: `/client/v4${path}`,
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
      const call = at(port)
      const { id: account } = resultOf(await call('GET', '/accounts'))[0]
      const { id } = resultOf(await call('POST', '/zones', { name: 'example.com', account: { id: account } }))
      const records = `/zones/${id}/dns_records`
      const record = (name: string) => ({ type: 'TXT', name, content: '"text"', ttl: 60 })
      expect((await call('POST', records, record('before'))).status).toBe(200)

      await server.kill()
      const refused = await call('POST', records, record('during'))
      expect([
        refused.status,
        refused.headers['retry-after'],
        JSON.parse(refused.text).errors[0].code,
      ]).toEqual([503, '2', 19832])
      expect((await call('GET', records)).status).toBe(503)
      expect(await resolver.resolveTxt('before.example.com')).toEqual([['text']])

      await server.start()
      await expect.poll(async () => (await call('POST', records, record('after'))).status, PATIENT).toBe(200)
      const second = serve(database, folder)
      expect(await second.ended).toBe(1)
      expect(second.err()).toContain(`another server uses this database: process ${first.child.pid}`)

      first.child.kill('SIGKILL')
      await first.ended
      const third = serve(database, folder)
      const again = await third.ready
      const list: { name: string }[] = resultOf(await at(again.port)('GET', records))
      expect(list.map(({ name }) => name)).toEqual(['after.example.com', 'before.example.com'])
      expect(await again.resolver.resolveTxt('after.example.com')).toEqual([['text']])
      await expect(again.resolver.resolveTxt('during.example.com')).rejects.toThrow('ENOTFOUND')

      const made = run(
        database,
        'token',
        'create',
        '--data',
        folder,
        '--name',
        'of a command',
        '--template',
        'admin',
      )
      expect([await made.ended, made.err()]).toEqual([0, expect.stringMatching(/^token id: /)])
      const backup = run(database, 'backup', 'create', '--data', folder, '--to', folder)
      expect(await backup.ended).toBe(1)
      expect(backup.err()).toContain('pg_dump')
      third.child.kill('SIGTERM')
      expect(await third.ended).toBe(0)
    },
    PATIENT.timeout,
  )
})

const resultOf = ({ text, status }: Received) => {
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return JSON.parse(text).result
}
