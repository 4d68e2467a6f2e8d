// Converts change sets to events, and delivers them to the modules that subscribed.
import { topicOf } from '@zonereeve/audit'
import { DomainError, joinLists, type Log } from '@zonereeve/platform'
import type { ChangeEvent, RecordsDelta, RecordsEvent, Topic } from '@zonereeve/storage'

/** In the order in which the events of one change set are delivered. */
export const TOPICS = [
  'zone',
  'records',
  'settings',
  'signing',
  'transfers',
  'monitoring',
  'firewall',
  'access',
] as const satisfies readonly Topic[]

export interface LoggedChange {
  readonly scopeId: string
  readonly number: number
  readonly serial: number | null
  readonly kinds: Iterable<string>
  readonly delta?: RecordsDelta | undefined
  readonly ops?: RecordsEvent['ops']
}

export function eventsOf({ scopeId, number, serial, kinds, delta, ops }: LoggedChange): ChangeEvent[] {
  const byTopic = new Map<Topic, string[]>()
  for (const kind of kinds) {
    const topic = topicOf(kind)
    if (topic === undefined) continue
    const own = byTopic.get(topic)
    if (own === undefined) byTopic.set(topic, [kind])
    else own.push(kind)
  }
  // A primary may bump the serial without any other change.
  if (byTopic.size === 0 && serial !== null) byTopic.set('zone', [])
  return TOPICS.flatMap((topic): ChangeEvent[] => {
    const own = byTopic.get(topic)
    if (own === undefined) return []
    if (topic !== 'records') return [{ scopeId, number, serial, kinds: own, topic }]
    return serial === null ? [] : [{ scopeId, number, serial, kinds: own, topic, delta, ops }]
  })
}

/**
 * Joins events of one commit that follow each other and only add records to the same zone: it is published once for all
 * of them. Transfers read each change set from the log.
 */
export function joinAdditions(events: readonly ChangeEvent[]): readonly ChangeEvent[] {
  if (events.length < 2) return events
  const groups: [ChangeEvent, ...Adding[]][] = []
  for (const event of events) {
    const group = groups.at(-1)
    if (group !== undefined && mayJoin(group[0], event)) group.push(event)
    else groups.push([event])
  }
  return groups.map(([first, ...others]) => {
    const last = others.at(-1)
    return last === undefined || !isDelta(first) ? first : joinEvents(first, others, last)
  })
}

type Adding = RecordsEvent & { readonly delta: RecordsDelta }

const mayJoin = (first: ChangeEvent, event: ChangeEvent): event is Adding =>
  isDelta(first) && isDelta(event) && first.scopeId === event.scopeId && event.delta.removed.length === 0

const isDelta = (event: ChangeEvent): event is Adding =>
  event.topic === 'records' && event.delta !== undefined && !event.delta.isRepair

/** Only the first may remove records. */
function joinEvents(first: Adding, others: readonly Adding[], last: Adding): RecordsEvent {
  const all = [first, ...others]
  const arePlain = all.every(({ delta }) => delta.arePlain === true)
  return {
    ...last,
    kinds: [...new Set(all.flatMap(({ kinds }) => kinds))],
    changeSets: all.length,
    delta: {
      removed: first.delta.removed,
      added: joinLists(...all.map(({ delta }) => delta.added)),
      isRepair: false,
      ...(arePlain && { arePlain }),
    },
  }
}

/** An event that is not in the log, for this node only. */
export const localEvent = (topic: Exclude<Topic, 'records'>, scopeId: string, kind: string): ChangeEvent => ({
  topic,
  scopeId,
  number: undefined,
  serial: null,
  kinds: [kind],
})

type EventSubscriber = (event: ChangeEvent) => void | Promise<void>

export type EventHub = ReturnType<typeof createEventHub>

export function createEventHub(log: Log) {
  const subscribers: Readonly<Record<Topic, EventSubscriber[]>> = {
    zone: [],
    records: [],
    settings: [],
    signing: [],
    transfers: [],
    monitoring: [],
    firewall: [],
    access: [],
  }
  return {
    /**
     * Calls `take` with each event of these topics, one after the other. Subscribers are called in order of
     * subscription.
     */
    subscribe(topics: readonly Topic[], take: EventSubscriber): void {
      for (const topic of topics) subscribers[topic].push(take)
    },
    /** Those of one commit. */
    deliver: (events: readonly ChangeEvent[]) => deliver(joinAdditions(events), () => {}),
    /**
     * Delivers what another node has written.
     *
     * @returns the failures of subscribers, if the database did not answer them: deliver it again.
     */
    async follow(events: readonly ChangeEvent[]): Promise<readonly unknown[]> {
      const failures: unknown[] = []
      const marked = events.map((event) => ({ ...event, isOfOtherNode: true }))
      await deliver(marked, (failure) => void failures.push(failure))
      return failures.filter(isTemporary)
    },
  }

  /** Returns a promise only if a subscriber does: most do not. */
  function deliver(
    events: readonly ChangeEvent[],
    noteFailure: (failure: unknown) => void,
  ): void | Promise<void> {
    const calls = events.flatMap((event) =>
      subscribers[event.topic].map((take) => () => attempt(take, event, noteFailure)),
    )
    for (const [index, call] of calls.entries()) {
      const rest = call()
      if (rest !== undefined) return callAll(rest, calls.slice(index + 1))
    }
  }

  function attempt(
    take: EventSubscriber,
    event: ChangeEvent,
    noteFailure: (failure: unknown) => void,
  ): void | Promise<void> {
    // The write is durable, so it has succeeded for its caller; but subscribers are now out of step, so this is
    // logged as an error.
    const report = (failure: unknown): void => {
      noteFailure(failure)
      const { topic, scopeId, number } = event
      log.error({ err: failure, topic, scopeId, number }, 'change not followed')
    }
    try {
      return take(event)?.catch(report)
    } catch (failure) {
      report(failure)
    }
  }
}

/** The database does not answer. */
export const isTemporary = (failure: unknown): boolean =>
  failure instanceof DomainError && failure.issues[0].reason === 'storage.unavailable'

async function callAll(first: Promise<void>, calls: readonly (() => void | Promise<void>)[]): Promise<void> {
  await first
  for (const call of calls) await call()
}
