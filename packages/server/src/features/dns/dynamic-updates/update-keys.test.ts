import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { allow, EVERYTHING, makeToken } from '../../../testing/test-tokens.ts'

const PATH = '/zonereeve/update_keys'
let app: TestApp
let tokenId = ''
beforeAll(async () => {
  app = await startTestApp()
  tokenId = (await app.must<{ id: string }>('GET', '/user/tokens/verify')).id
})
afterAll(() => app.close())

interface Key {
  readonly id: string
  readonly name: string
  readonly algorithm: string
  readonly secret?: string
}
const make = (name: string, more: object = {}): Promise<Key> =>
  app.must('POST', PATH, { name, token_id: tokenId, ...more })

describe('a key', () => {
  test('is shown with its secret once, and listed without', async () => {
    const { secret = '', ...shown } = await make('Shown.Update.')
    expect(shown).toMatchObject({ name: 'shown.update', algorithm: 'hmac-sha256', token_id: tokenId })
    expect(Buffer.from(secret, 'base64').length).toBe(40)
    expect(await app.must('GET', `${PATH}/${shown.id}`)).toEqual(shown)
    expect(await app.must<Key[]>('GET', PATH)).toContainEqual(shown)
    const log = JSON.stringify((await app.changeLog(app.userId)).at(-1))
    expect(log).toContain('update_key.create')
    expect(log).not.toContain(secret)
  })

  test('works at once, and no longer after it is deleted, nor after a dry run', async () => {
    const { id, name } = await make('gone.update', { algorithm: 'hmac-sha512' })
    const find = (algorithm: 'hmac-sha512' | 'hmac-sha256') =>
      app.updateKeys.findKey(name as never, algorithm) // a canonical name
    expect([find('hmac-sha512')?.secret.length, find('hmac-sha256')]).toEqual([40, undefined])
    await app.must('DELETE', `${PATH}/${id}?dry_run=true`)
    expect(find('hmac-sha512')).toBeDefined()
    await app.must('DELETE', `${PATH}/${id}`)
    expect(find('hmac-sha512')).toBeUndefined()
    expect((await app.call({ method: 'GET', path: `${PATH}/${id}` })).status).toBe(404)
  })

  const refused: [
    name: string,
    body: object,
    status: number,
    codes: number[],
    pointer: string | undefined,
  ][] = [
    ['no domain name', { name: 'a..b', token_id: '' }, 400, [19780], '/name'],
    ['the root', { name: '.', token_id: '' }, 400, [19780], '/name'],
    ['a label of 64 octets', { name: 'x'.repeat(64), token_id: '' }, 400, [19780], '/name'],
    ['an existing name, in other letters', { name: 'TAKEN.update', token_id: '' }, 400, [19781], '/name'],
    ['no token of the caller', { name: 'new.update', token_id: '0'.repeat(32) }, 400, [19782], '/token_id'],
  ]
  test.each(refused)('is rejected with %s', async (_, body, status, codes, pointer) => {
    if ((await app.must<Key[]>('GET', `${PATH}?per_page=1000`)).every(({ name }) => name !== 'taken.update'))
      await make('taken.update')
    const changes = await app.changeCount()
    const sent = 'token_id' in body && body.token_id === '' ? { ...body, token_id: tokenId } : body
    const answer = await app.call({ method: 'POST', path: PATH, body: sent })
    expect(answer.status).toBe(status)
    expect(answer.json.errors.map(({ code, source }) => [code, source?.pointer])).toEqual(
      codes.map((code) => [code, pointer]),
    )
    expect(await app.changeCount()).toBe(changes)
  })

  test.each([
    ['a broken algorithm', { algorithm: 'hmac-md5' }],
    ['a client-chosen secret', { secret: 'MDEyMzQ1Njc4OWFiY2RlZg==' }],
    ['a number as the name', { name: 5 }],
    ['no token', { token_id: undefined }],
  ])('is rejected with %s', async (_, more) => {
    const changes = await app.changeCount()
    const answer = await app.call({
      method: 'POST',
      path: PATH,
      body: { name: 'x.update', token_id: tokenId, ...more },
    })
    expect([answer.status, await app.changeCount()]).toEqual([400, changes])
    expect(app.updateKeys.find('x.update' as never)).toBeUndefined() // a canonical name
  })

  test('needs the permission for tokens', async () => {
    const token = await makeToken(app, [allow(['DNS Write'], ...EVERYTHING)])
    for (const method of ['GET', 'POST'])
      expect(
        (
          await app.call({
            method,
            path: PATH,
            token,
            body: method === 'POST' ? { name: 'x.update', token_id: tokenId } : undefined,
          })
        ).status,
      ).toBe(403)
  })

  test('survives a restart', async () => {
    const { name } = await make('stays.update')
    const { createUpdateKeys } = await import('./index.ts')
    const again = createUpdateKeys(app)
    expect(again.find(name as never)).toBeUndefined() // a canonical name
    await again.load()
    expect(again.find(name as never)?.tokenId).toBe(tokenId) // a canonical name
  })

  test('no longer works on a node that takes over if another node has deleted it', async () => {
    const { id, name } = await make('deleted.update')
    const { createUpdateKeys } = await import('./index.ts')
    const other = createUpdateKeys(app)
    await other.load()
    expect(other.find(name as never)).toBeDefined() // a canonical name
    await app.must('DELETE', `${PATH}/${id}`)
    await other.load()
    expect(other.find(name as never)).toBeUndefined() // a canonical name
  })
})
