// The examples of docs/clients.md are what runs here: an example that stops working fails, and none can be out of date.
import { readFileSync } from 'node:fs'
import type { ClientSession } from './client-suite.ts'

/** The values that the page uses for what differs from run to run. */
const SAMPLE = {
  url: 'http://127.0.0.1:8080',
  hostAndPort: 'host="127.0.0.1", port=8080',
  token: 'demo-token-0123456789-0123456789-01234567',
  zone: 'example.com',
  address: '192.0.2.1',
} as const

const page = new URL('../../docs/clients.md', import.meta.url)

/** The block that is marked `example=name`, for this run's server and `zone`, and for `address` where it names one. */
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
