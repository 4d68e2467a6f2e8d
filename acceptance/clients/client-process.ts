// Runs a client as a user would at the prompt, with its own home folder and a time limit.
import { join } from 'node:path'
import { run } from '../../scripts/process.ts'
import type { ClientSession } from './client-suite.ts'

export interface ClientOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Whether the client has the vendor's host name built in, which must then resolve to the target. */
  readonly vendorHost?: boolean
}

const LIMIT_SECONDS = 120

/** Runs `script` in bash and returns its output. @throws with the output if a command fails or times out. */
export async function runClient(
  session: ClientSession,
  script: string,
  options: ClientOptions = {},
): Promise<string> {
  const host = options.vendorHost === true ? await session.vendorHost() : undefined
  const command = ['bash', '-euc', script]
  const finished = await run('timeout', [`${LIMIT_SECONDS}`, ...(host?.inside(command) ?? command)], {
    cwd: session.folder,
    env: {
      HOME: session.folder,
      XDG_CONFIG_HOME: join(session.folder, '.config'),
      // Without a file, OpenSSL looks for authorities in a folder of hashed names.
      ...(host === undefined ? {} : { SSL_CERT_FILE: host.bundleFile }),
      ...options.env,
    },
  })
  if (!finished.ok) throw new Error(`failed: ${script}\n${finished.output}`)
  return finished.output
}
