// Makes the host name that many clients have built in lead to the target: a TLS proxy in front of the program, and a
// hosts file and CA bundle that only the client sees, in its own mount namespace. The machine's files do not change.
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
  /** CA bundle with the machine's authorities and ours, mounted in place of the machine's bundle. */
  readonly bundleFile: string
  /** The command line that runs `command` in a namespace where the name leads to the target. */
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
  // All of 127.0.0.0/8 is this machine; a random address avoids conflicts on port 443.
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

/** Terminates TLS and forwards every octet unchanged, including octets after a request. */
async function listen(target: Target, address: string, cert: Buffer, key: Buffer): Promise<Server> {
  const { hostname, port } = new URL(target.http)
  const server = createServer({ cert, key }, (client: TLSSocket) => {
    const program = connect(Number(port), hostname)
    client.pipe(program).pipe(client)
    client.on('error', () => program.destroy()) // a client may disconnect; its exit code is checked
    program.on('error', () => client.destroy())
  })
  server.listen(HTTPS_PORT, address)
  await once(server, 'listening')
  return server
}
