// What the server sends of a built dashboard, for every kind of request.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDashboardFiles, type DashboardFiles } from './dashboard-files.ts'

let folder = ''
let files: DashboardFiles
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonereeve-dashboard-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'index.html.br'), 'page in brotli')
  writeFileSync(join(folder, 'assets/index-abc.js'), 'run()')
  writeFileSync(join(folder, 'assets/index-abc.js.gz'), 'script in gzip')
  writeFileSync(join(folder, 'assets/font-abc.woff2'), 'font')
  writeFileSync(join(folder, 'secret.js'), 'secret')
  const found = createDashboardFiles(folder)
  if (found === undefined) throw new Error('the folder has an index.html')
  files = found
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the built dashboard', () => {
  test('a folder without a page has none', () => {
    expect(createDashboardFiles(join(folder, 'assets'))).toBeUndefined()
  })

  test('the page has the content policy and is asked for again', () => {
    const { headers, bytes } = files.page({})
    expect(bytes?.toString()).toBe('<!doctype html>')
    expect(headers['Content-Security-Policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'",
    )
    expect(headers['Content-Security-Policy']).not.toMatch(/unsafe|nonce|data:|\*/)
    expect(headers).toMatchObject({ 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' })
    expect(headers).not.toHaveProperty('Content-Encoding')
  })

  test.each([
    { accepts: 'gzip, deflate, br, zstd', encoding: 'br' },
    { accepts: 'gzip', encoding: undefined },
    { accepts: 'br;q=0, gzip', encoding: undefined },
    { accepts: 'BR;q=0.5', encoding: 'br' },
    { accepts: 'identity', encoding: undefined },
    { accepts: undefined, encoding: undefined },
  ])('the page for Accept-Encoding $accepts: $encoding', ({ accepts, encoding }) => {
    const { headers, bytes } = files.page({ acceptEncoding: accepts })
    expect(headers['Content-Encoding']).toBe(encoding)
    expect(headers['Vary']).toContain('Accept-Encoding')
    expect(bytes?.toString()).toBe(encoding === undefined ? '<!doctype html>' : 'page in brotli')
  })

  test('a client with the current page gets no bytes; each encoding is another version', () => {
    const { headers } = files.page({})
    const etag = String(headers['ETag'])
    expect(files.page({ ifNoneMatch: etag }).bytes).toBeUndefined()
    expect(files.page({ ifNoneMatch: etag, acceptEncoding: 'br' }).bytes).toBeDefined()
    expect(files.page({ ifNoneMatch: '"other"' }).bytes).toBeDefined()
  })

  test.each([
    {
      name: 'index-abc.js',
      type: 'text/javascript; charset=utf-8',
      encoding: 'gzip',
      text: 'script in gzip',
    },
    { name: 'font-abc.woff2', type: 'font/woff2', encoding: undefined, text: 'font' },
  ])('the asset $name is kept for good', ({ name, type, encoding, text }) => {
    const file = files.asset(name, { acceptEncoding: 'gzip, br' })
    expect(file?.bytes?.toString()).toBe(text)
    expect(file?.headers).toMatchObject({
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    })
    expect(file?.headers['Content-Encoding']).toBe(encoding)
  })

  test.each([
    '../secret.js',
    '..%2fsecret.js',
    '/etc/passwd',
    'other.js',
    '',
    '.',
    'index-abc.js.gz',
    'a/../b.js',
  ])('no asset: %s', (name) => expect(files.asset(name, {})).toBeUndefined())
})
