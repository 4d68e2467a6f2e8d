// One of several nodes with one PostgreSQL database, as a process of its own.
import { onTestFinished } from 'vitest'
import { type AtEnd, scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { createHttpClient } from './http-client.ts'
import { ON_FREE_PORTS, runProgram } from './run-program.ts'

export const TOKEN = 'token-of-the-test-of-nodes-0123456789-ab'
export const SECRET = 'secret-that-all-nodes-of-the-test-have'

export type Node = Awaited<ReturnType<typeof startNode>>

export interface NodeOptions {
  /** Another version of the program. */
  readonly program?: string
  readonly environment?: Readonly<Record<string, string>>
  /** For a node of several tests: a start costs seconds of CPU time. */
  readonly atEnd?: AtEnd
}

/** A process that ends with the test, or at `atEnd`. @param database its URL. */
export async function startNode(
  database: string,
  { program: path, environment, atEnd = onTestFinished }: NodeOptions = {},
) {
  const program = runProgram(
    {
      ...environment,
      ZONEREEVE_ADMIN_TOKEN: TOKEN,
      ZONEREEVE_DATABASE: database,
      ZONEREEVE_KEY_ENCRYPTION_SECRET: SECRET,
      ZONEREEVE_NODE_URL: 'http://127.0.0.1:0',
    },
    ['serve', '--data', scratchFolder(atEnd), ...ON_FREE_PORTS],
    path,
    atEnd,
  )
  const { port, resolver } = await program.ready
  const client = createHttpClient()
  atEnd(() => client.close())
  return {
    ...program,
    port,
    async call(method: string, path: string, body?: object, token = TOKEN) {
      const { status, headers, text } = await client.send(port, {
        method,
        path: `/client/v4${path}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status, headers, result: JSON.parse(text).result }
    },
    /** The TXT records of a name; undefined if it does not exist. */
    resolve: (name: string): Promise<string[][] | undefined> =>
      resolver.resolveTxt(name).catch((failure: NodeJS.ErrnoException) => {
        if (failure.code === 'ENOTFOUND') return undefined
        throw failure
      }),
  }
}

export async function createZone(node: Node, name: string): Promise<string> {
  const [{ id: account }] = (await node.call('GET', '/accounts')).result
  const { status, result } = await node.call('POST', '/zones', { name, account: { id: account } })
  if (status !== 200) throw new Error(`the zone was refused: ${status}`)
  return result.id
}

export const record = (name: string) => ({ type: 'TXT', name, content: '"text"', ttl: 60 })
