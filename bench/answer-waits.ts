// Sends the same query to a nameserver at a steady rate during other work, and returns the longest delay of an answer.
import { createSocket } from 'node:dgram'
import packet from 'dns-packet'
import type { DnsAddress } from '../acceptance/dns-client.ts'
import { quantile } from './measure.ts'

const EVERY_MS = 5
/** Time to wait for outstanding answers after the work has ended. */
const LAST_ANSWERS_MS = 10_000

export interface Waits {
  readonly seconds: number
  readonly longestMs: number
  readonly p99Ms: number
  /** Queries without an answer. */
  readonly lost: number
}

/** Queries the SOA of `zone` 200 times per second until `work` has ended. */
export async function waitsDuring(
  { host, port }: DnsAddress,
  zone: string,
  work: () => Promise<unknown>,
): Promise<Waits> {
  const socket = createSocket('udp4')
  const sentAt = new Map<number, number>()
  const waits: number[] = []
  let id = 0
  socket.on('message', (message) => {
    const sent = sentAt.get(message.readUInt16BE(0))
    if (sent === undefined) return
    waits.push(performance.now() - sent)
    sentAt.delete(message.readUInt16BE(0))
  })
  const asking = setInterval(() => {
    id = (id + 1) & 0xffff
    sentAt.set(id, performance.now())
    socket.send(packet.encode({ type: 'query', id, questions: [{ type: 'SOA', name: zone }] }), port, host)
  }, EVERY_MS)
  const began = performance.now()
  try {
    await work()
    const seconds = (performance.now() - began) / 1000
    clearInterval(asking)
    const deadline = performance.now() + LAST_ANSWERS_MS
    while (sentAt.size > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 5))
    return { seconds, longestMs: quantile(waits, 1), p99Ms: quantile(waits, 0.99), lost: sentAt.size }
  } finally {
    clearInterval(asking)
    socket.close()
  }
}
