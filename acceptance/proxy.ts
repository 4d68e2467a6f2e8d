// Tests the nginx setup in docs/monitoring.md: its script, its configuration, one page, one report.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { run } from '../scripts/process.ts'
import { missingOf } from '../scripts/requirements.ts'
import { createApi, type Api } from './browsers/api.ts'
import { startSite, until } from './browsers/site.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

const PAGE = new URL('../docs/monitoring.md', import.meta.url)
const HOST = 'www.behind-nginx.example'

export async function runProxy(target: Target, report: Report, folder: string): Promise<void> {
  const missing = missingOf(['nginx', 'jq', 'curl'])
  if (missing !== undefined) return report.skip('docs/monitoring.md', missing.reason, missing.required)
  await report.check('docs/monitoring.md: nginx adds the headers and forwards reports', () =>
    behindNginx(target, join(folder, 'nginx')),
  )
}

async function behindNginx(target: Target, folder: string): Promise<void> {
  mkdirSync(join(folder, 'conf.d'), { recursive: true })
  const api = createApi(target)
  const { id } = await api.post<{ id: string }>('/zones', {
    name: HOST.replace('www.', ''),
  })
  const path = `/zones/${id}/page_shield`
  await api.call('PUT', path, { enabled: true })
  await api.post(`${path}/policies`, {
    description: '',
    action: 'allow',
    expression: 'starts_with(http.request.uri.path, "/checkout")',
    enabled: true,
    value: `script-src 'self'`,
  })
  const shop = await startSite((asked) => ({
    headers: { 'content-type': asked.path.endsWith('.png') ? 'image/png' : 'text/html; charset=utf-8' },
    body: 'the shop',
  }))
  const { script, blocks } = fromThePage(folder, shop.port, target)
  await runScript(script, target, id)
  const nginx = await startNginx(folder, blocks)
  try {
    await judge(api, path, nginx.port)
  } finally {
    await nginx.stop()
    await shop.close()
    await api.call('DELETE', `/zones/${id}`)
  }
}

async function judge(api: Api, path: string, port: number): Promise<void> {
  const url = `http://${HOST}/checkout`
  const expected = await api.get<{ headers: { name: string; value: string }[] }>(
    `/zonereeve${path}/headers?url=${encodeURIComponent(url)}`,
  )
  const page = await send(port, 'GET', '/checkout')
  equal(page.body, 'the shop')
  equal(expected.headers.length, 2)
  for (const { name, value } of expected.headers) deepEqual(page.headers[name], value)
  const image = await send(port, 'GET', '/checkout/a.png')
  deepEqual(
    Object.keys(image.headers).filter((name) => name.startsWith('content-security')),
    [],
  )
  const reporting = /report-uri http:\/\/[^/]+(\S+)/.exec(expected.headers[1]?.value ?? '')?.[1] ?? ''
  const report = {
    'document-uri': url,
    'blocked-uri': 'https://cdn.example/a.js',
    'effective-directive': 'script-src-elem',
    'original-policy': "script-src 'none'",
  }
  const sent = await send(port, 'POST', reporting, JSON.stringify({ 'csp-report': report }))
  equal(sent.status, 204)
  const scripts = () => api.get<{ url: string }[]>(`${path}/scripts?status=active,infrequent`)
  await until(
    async () => (await scripts()).length > 0,
    () => 'the reported script is not in the inventory',
  )
  deepEqual(
    (await scripts()).map((found) => found.url),
    ['https://cdn.example/a.js'],
  )
}

/** The page's script and server blocks, with this run's folders and addresses. */
function fromThePage(folder: string, shopPort: number, { http }: Target) {
  const text = readFileSync(PAGE, 'utf8')
  const all = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, block = '']) => ({
    kind,
    block,
  }))
  const placed = (block: string): string =>
    block
      .replaceAll('/etc/nginx', folder)
      .replaceAll('http://shop', `http://127.0.0.1:${shopPort}`)
      .replaceAll('http://127.0.0.1:8080', http)
  const script = all.find(({ block }) => block.startsWith('#!/bin/sh'))?.block
  const blocks = all.filter(({ kind }) => kind === 'nginx').map(({ block }) => placed(block))
  ok(script !== undefined && blocks.length === 3, 'the page has its script and three blocks for nginx')
  // nginx does not run yet, so there is nothing to reload.
  return { script: placed(script).replace('nginx -s reload', ''), blocks }
}

async function runScript(script: string, { http, token }: Target, zoneId: string): Promise<void> {
  const made = await run('sh', ['-euc', script, 'csp-headers.sh', 'checkout', `http://${HOST}/checkout`], {
    env: { api: `${http}/client/v4`, auth: `Authorization: Bearer ${token}`, ZONE: zoneId },
  })
  if (!made.ok) throw new Error(`the script failed\n${made.output}`)
}

/** @param blocks of the server; files in `conf.d` of the folder are included before it. */
export async function startNginx(folder: string, blocks: readonly string[]) {
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http {
  access_log off; ${temporary.join(' ')}
  include ${folder}/conf.d/*.conf;
  server {
    listen 127.0.0.1:${port};
    ${blocks.join('\n')}
  }
}
`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const log = () => readFileSync(join(folder, 'error.log'), 'utf8')
  await until(
    () =>
      send(port, 'GET', '/').then(
        () => true,
        () => false,
      ),
    log,
    20,
  )
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** Sends the shop's host name to any address; `fetch` cannot override the Host header. */
async function send(port: number, method: string, path: string, body = '') {
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: {
      host: HOST,
      'content-type': 'application/csp-report',
      'content-length': Buffer.byteLength(body),
    },
  })
  sent.end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, headers: response.headers, body: text }
}
