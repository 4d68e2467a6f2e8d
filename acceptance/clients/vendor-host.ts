// The host name that many clients have built in, leading here: TLS before the program, and a hosts file and a bundle of
// authorities that only the client sees, in a mount namespace of its own. The machine's own files stay as they are.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { CA_BUNDLE } from '../../scripts/requirements.ts'
import type { Target } from '../program.ts'
import { createAuthority } from './authority.ts'

export interface VendorHost {
  /** The machine's authorities and ours: what the client finds as the machine's. */
  readonly bundleFile: string
  /** The command line that runs `command` where the name leads here. */
  readonly inside: (command: readonly string[]) => readonly string[]
  readonly close: () => Promise<void>
}

const HOST = 'api.cloudflare.com'
const HTTPS_PORT = 443
const PRIVATE_MOUNTS = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c']
const MOUNT_THEN_RUN = `mount --bind "$1" /etc/hosts && mount --bind "$2" ${CA_BUNDLE} && shift 2 && exec "$@"`

export async function startVendorHost(target: Target, folder: string): Promise<VendorHost> {
  const authority = await createAuthority(folder)
  const { certFile, keyFile } = await authority.issue(HOST)
  // Any address of 127.0.0.0/8 is this machine; a random one leaves port 443 of the others to others.
  const address = `127.${randomInt(64, 128)}.${randomInt(256)}.${randomInt(1, 255)}`
  const server = await listen(target, address, readFileSync(certFile), readFileSync(keyFile))
  const hostsFile = join(folder, 'hosts')
  const bundleFile = join(folder, 'authorities.crt')
  writeFileSync(hostsFile, `127.0.0.1 localhost\n${address} ${HOST}\n`)
  writeFileSync(bundleFile, readFileSync(CA_BUNDLE, 'utf8') + readFileSync(authority.certFile, 'utf8'))
  return {
    bundleFile,
    inside: (command) => [...PRIVATE_MOUNTS, MOUNT_THEN_RUN, 'sh', hostsFile, bundleFile, ...command],
    async close() {
      server.close()
      await once(server, 'close')
    },
  }
}

/** Takes TLS off and passes every octet on as it came, those after a request too. */
async function listen(target: Target, address: string, cert: Buffer, key: Buffer): Promise<Server> {
  const { hostname, port } = new URL(target.http)
  const server = createServer({ cert, key }, (client: TLSSocket) => {
    const program = connect(Number(port), hostname)
    client.pipe(program).pipe(client)
    client.on('error', () => program.destroy()) // a client may go without a word; its exit code is judged
    program.on('error', () => client.destroy())
  })
  server.listen(HTTPS_PORT, address)
  await once(server, 'listening')
  return server
}
