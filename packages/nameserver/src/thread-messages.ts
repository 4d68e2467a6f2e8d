// What the main thread and an answering thread say to each other.
import type { NameserverLimits } from './limits.ts'
import type { DropReason } from './metrics.ts'
import type { HashKey } from './octet-hash.ts'
import type { PostedSignatures } from './signature-post.ts'
import type { GuardSettings } from './guards.ts'
import type { QueryLogSettings } from './query-log.ts'
import type { Segment } from './zone-store/pages.ts'
import type { Certificate } from './certificate.ts'
import type { Endpoint } from './listener.ts'
import type { Peer, Transport } from './peer.ts'
import type { MessagePort } from 'node:worker_threads'

/** Keys and segments, each posted before a published version refers to it. */
export type Published =
  | { readonly kind: 'segment'; readonly segment: Segment }
  /** `sealed` is what the thread makes the keys from; undefined: the number is not used any more. */
  | { readonly kind: 'signing'; readonly number: number; readonly sealed: unknown }

export interface ThreadStart {
  /** Number among the readers. */
  readonly reader: number
  readonly threads: number
  readonly segments: readonly Segment[]
  readonly control: SharedArrayBuffer
  readonly hashKey: HashKey
  readonly signings: readonly (readonly [number: number, sealed: unknown])[]
  /** Receives Published. */
  readonly published: MessagePort
  readonly guards: GuardSettings
  readonly limits: NameserverLimits
  readonly queryLog: QueryLogSettings | undefined
  readonly connections: ThreadConnections
}

export interface ThreadConnections {
  /** Of connectionCountsMemory(). */
  readonly memory: SharedArrayBuffer
  /** 32 random bits. */
  readonly seed: number
  /** Name of the channel on which threads request from each other to close an idle connection. */
  readonly channel: string
}

/** What threads listen to. `udp` is UDP and TCP on one port. */
export interface ThreadEndpoint extends Endpoint {
  readonly transport: Exclude<Transport, 'tcp'>
  /** Listening sockets; undefined: the thread opens them. */
  readonly descriptors: { readonly stream: number; readonly udp: number | undefined } | undefined
}

/** Counted answers and drops since the last message. */
export interface Counts {
  readonly queries: readonly {
    readonly transport: Transport
    readonly rcode: string
    readonly zone: string | undefined
    readonly zoneId: string | undefined
    readonly count: number
  }[]
  readonly dropped: readonly {
    readonly transport: Transport
    readonly reason: DropReason
    readonly count: number
  }[]
}

export type ToThread =
  | {
      readonly kind: 'listen'
      readonly id: number
      readonly endpoint: ThreadEndpoint
      /** For encrypted transports. */
      readonly certificate: Certificate | undefined
    }
  /** For new connections. */
  | { readonly kind: 'certificate'; readonly id: number; readonly certificate: Certificate }
  /** The answer to a message that was passed on, or one of several; `hasMore`: the thread may request the next one. */
  | {
      readonly kind: 'answer'
      readonly id: number
      readonly answer: Uint8Array | undefined
      readonly hasMore: boolean
      /** Why there is no answer, and nothing after it: the thread closes the connection. */
      readonly failure?: string
    }
  | { readonly kind: 'count'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number }
  /** The oldest 'signed' without this reply was taken; `unstoredZones`: numbers of its zones of which not all were stored. */
  | { readonly kind: 'signed-taken'; readonly unstoredZones: readonly number[] }

export type FromThread =
  | {
      readonly kind: 'done'
      readonly id: number
      readonly counts?: Counts
      readonly failure?: unknown
      /** That the thread listens on. */
      readonly port?: number
    }
  | { readonly kind: 'counts'; readonly counts: Counts }
  /** A message that is more than a question for data. */
  | { readonly kind: 'message'; readonly id: number; readonly packet: Uint8Array; readonly peer: Peer }
  /** Requests the next message of an answer with several, or none of them any more. */
  | { readonly kind: 'next' | 'stop'; readonly id: number }
  | { readonly kind: 'signed'; readonly posted: PostedSignatures }
  | {
      readonly kind: 'log'
      readonly level: 'debug' | 'info' | 'warn' | 'error'
      readonly fields: object
      readonly event: string
    }
