// What all parts of an import share: the server that is written, whether it is only a plan, and the outcomes.
import { describeIssues, isItem, type Connection, type Issue, type Item, type Reply } from './connection.ts'
import type { Outcome } from './outcomes.ts'

export interface ImportContext {
  readonly target: Connection
  /** Nothing is written. */
  readonly isPlan: boolean
  /** Rulesets that exist with other rules are replaced. */
  readonly isReplacing: boolean
  /** Identifiers of rulesets and rules here by those at the source. */
  readonly ids: Map<string, string>
  readonly report: (outcome: Outcome) => void
}

/** Which object an outcome is about. */
export type Subject = Pick<Outcome, 'zone' | 'object' | 'name' | 'source_id'>

/** @param source_id from an object of the source. */
export const subjectOf = (zone: string | null, object: string, name: string, item?: Item): Subject => ({
  zone,
  object,
  name,
  ...(typeof item?.['id'] === 'string' ? { source_id: item['id'] } : {}),
})

export const targetIdOf = (result: unknown): Pick<Outcome, 'target_id'> => {
  const [item]: readonly unknown[] = Array.isArray(result) ? result : [result]
  const id = isItem(item) ? item['id'] : undefined
  return typeof id === 'string' ? { target_id: id } : {}
}

/** Writes one object, unless it is only planned, and reports what happened. @returns the result, if it was written. */
export async function writeOne(
  { target, isPlan, report }: ImportContext,
  subject: Subject,
  action: 'create' | 'update',
  [method, path, body]: readonly [method: string, path: string, body: unknown],
): Promise<unknown> {
  if (isPlan) {
    report({ ...subject, action })
    return undefined
  }
  const reply = await target.send(method, path, body)
  if (reply.ok) report({ ...subject, action, ...targetIdOf(reply.result) })
  else report({ ...subject, action: 'left out', reason: describeIssues(reply.issues) })
  return reply.ok ? reply.result : undefined
}

export interface SentTogether<Sent> {
  /** The last reply; undefined if nothing remained to be sent. */
  readonly reply: Reply | undefined
  readonly sent: readonly Sent[]
  readonly refused: readonly { readonly item: Sent; readonly issues: readonly Issue[] }[]
}

/**
 * Sends items in one request. If the server refuses one by its pointer, the others are sent without it.
 *
 * @param pointer what stands before the index, like `/posts`.
 */
export async function sendLeavingOut<Sent>(
  items: readonly Sent[],
  pointer: string,
  send: (items: readonly Sent[]) => Promise<Reply>,
): Promise<SentTogether<Sent>> {
  const refused: { item: Sent; issues: readonly Issue[] }[] = []
  let sent = items
  while (sent.length > 0) {
    const reply = await send(sent)
    const left = reply.ok ? undefined : refusedIndex(reply.issues, pointer)
    const item = left === undefined ? undefined : sent[left]
    if (reply.ok || item === undefined) return { reply, sent, refused }
    const own = reply.issues.filter((issue) => refusedIndex([issue], pointer) === left)
    refused.push({ item, issues: own })
    sent = sent.filter((_, index) => index !== left)
  }
  return { reply: undefined, sent, refused }
}

function refusedIndex(issues: readonly Issue[], pointer: string): number | undefined {
  for (const { source } of issues) {
    const path = source?.pointer ?? '' // most errors name no member
    const index = path.startsWith(`${pointer}/`) ? /^\d+/.exec(path.slice(pointer.length + 1)) : null
    if (index !== null) return Number(index[0])
  }
  return undefined
}
