// What a page fetches: bytes as they are transferred, and requests of the API.
import { untilQuiet, type Visitor } from './visitor.ts'

export interface Fetched {
  readonly bytes: number
  /** Of the API. */
  readonly requests: number
}

/** Until the page has the answers to all that it asked for. */
export async function fetchedDuring(
  { context, page, requests }: Visitor,
  work: () => Promise<void>,
): Promise<Fetched> {
  const session = await context.newCDPSession(page)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength))
  await session.send('Network.enable')
  const since = requests.length
  await work()
  await untilQuiet(page)
  await session.detach()
  return {
    bytes,
    requests: requests.slice(since).filter((request) => request.includes(' /client/v4/')).length,
  }
}
