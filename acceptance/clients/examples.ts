// The suites run the examples of docs/clients.md, so an example that no longer works fails here.
import { readFileSync } from 'node:fs'
import type { ClientSession } from './client-suite.ts'

/** Values on the page that are replaced in each run. */
const SAMPLE = {
  url: 'http://127.0.0.1:8080',
  hostAndPort: 'host="127.0.0.1", port=8080',
  token: 'demo-token-0123456789-0123456789-01234567',
  zone: 'example.com',
  address: '192.0.2.1',
} as const

const page = new URL('../../docs/clients.md', import.meta.url)

/** The block marked `example=name`, with this run's server, `zone` and, if it has one, `address`. */
export function exampleOf(
  name: string,
  { target, clientToken }: ClientSession,
  zone: string,
  address: string = SAMPLE.address,
): string {
  const marked = new RegExp(`^\`\`\`\\w+ example=${name.replaceAll('.', '\\.')}\\n(.*?)^\`\`\`$`, 'ms')
  const block = marked.exec(readFileSync(page, 'utf8'))?.[1]
  if (block === undefined) throw new Error(`docs/clients.md has no example ${name}`)
  const { hostname, port } = new URL(target.http)
  return block
    .replaceAll(SAMPLE.url, target.http)
    .replaceAll(SAMPLE.hostAndPort, `host="${hostname}", port=${port}`)
    .replaceAll(SAMPLE.token, clientToken)
    .replaceAll(SAMPLE.zone, zone)
    .replaceAll(SAMPLE.address, address)
}
