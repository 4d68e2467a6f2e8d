// Connections of a thread among those of all threads. Threads request from each other to close idle ones, without the
// main thread.
import { BroadcastChannel } from 'node:worker_threads'
import { ConnectionCounts, type StreamTransport } from './connection-counts.ts'
import type { SharedConnections } from './stream-connections.ts'
import type { ThreadConnections } from './thread-messages.ts'

interface Eviction {
  readonly row: number
  readonly transport: StreamTransport
}

export function shareConnections(
  { memory, seed, channel: name }: ThreadConnections,
  row: number,
): SharedConnections {
  const evictions = new Map<StreamTransport, () => void>()
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', (event) => {
    const { row: of, transport } = (event as unknown as { readonly data: Eviction }).data // sent below
    if (of === row) evictions.get(transport)?.()
  })
  channel.unref()
  const post = channel.postMessage.bind(channel)
  return {
    counts: new ConnectionCounts(memory, row, seed),
    evictIn: (of, transport) => post({ row: of, transport } satisfies Eviction),
    onEvict: (transport, evict) => void evictions.set(transport, evict),
  }
}
