// What the configuration of a proxy needs to know of a zone. The server is queried for its name, so that a misspelled one is not configured.
import { createEdgeServer, type EdgeServerOptions } from '../edge-server.ts'
import { changedHeaders, type ChangedHeaders } from './changed-headers.ts'
import { type ErrorPageKind, errorPageKinds } from './error-pages.ts'

interface ConfiguredZone {
  /** As the server has it. */
  readonly zone: string
  readonly headers: ChangedHeaders
  readonly errorPages: readonly ErrorPageKind[]
}

/** @throws if the server does not answer, or the token sees no such zone. */
export async function findZone(options: EdgeServerOptions, name: string): Promise<ConfiguredZone> {
  const server = createEdgeServer(options)
  const desired = name.toLowerCase().replace(/\.$/, '')
  try {
    const { signal } = new AbortController()
    const { zones } = await server.zoneVersions(undefined, signal)
    for (const { id } of zones) {
      const document = await server.zoneDocument(id, signal)
      if (document !== undefined && document !== 'unreadable' && document.name.toLowerCase() === desired)
        return {
          zone: desired,
          headers: changedHeaders(document.configuration),
          errorPages: errorPageKinds(document.configuration),
        }
    }
  } finally {
    await server.close()
  }
  throw new Error(`--zone: the token may not decide about ${desired}, or there is no such zone`)
}
