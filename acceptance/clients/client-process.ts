// Runs a client as its user would at the prompt, with a home of its own and an end to its patience.
import { join } from 'node:path'
import { run } from '../../scripts/process.ts'
import type { ClientSession } from './client-suite.ts'

export interface ClientOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Whether the client has the vendor's host name built in, and must be led here. */
  readonly vendorHost?: boolean
}

const LIMIT_SECONDS = 120

/** Runs `script` in bash and returns what it printed. @throws with its output when a command fails or does not end. */
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
      // OpenSSL looks for authorities in a folder of hashed names unless it is told a file.
      ...(host === undefined ? {} : { SSL_CERT_FILE: host.bundleFile }),
      ...options.env,
    },
  })
  if (!finished.ok) throw new Error(`failed: ${script}\n${finished.output}`)
  return finished.output
}
