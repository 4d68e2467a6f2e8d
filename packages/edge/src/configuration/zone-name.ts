// Whether an edge's token may decide about a zone, so that a misspelled name is not configured.
import { createEdgeServer, type EdgeServerOptions } from '../edge-server.ts'

/** @returns the name as the server has it. @throws if the server does not answer, or the token sees no such zone. */
export async function findZoneName(options: EdgeServerOptions, name: string): Promise<string> {
  const server = createEdgeServer(options)
  const desired = name.toLowerCase().replace(/\.$/, '')
  try {
    const { signal } = new AbortController()
    const { zones } = await server.zoneVersions(undefined, signal)
    for (const { id } of zones) {
      const document = await server.zoneDocument(id, signal)
      if (document?.name.toLowerCase() === desired) return desired
    }
  } finally {
    await server.close()
  }
  throw new Error(`--zone: the token may not decide about ${desired}, or there is no such zone`)
}
