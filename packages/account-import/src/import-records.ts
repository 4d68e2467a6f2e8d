// The records of a zone. A record with the same name, type and value exists already: it gets the other attributes.
// Records that only the target has stay.
import { RECORD_TYPES } from '@zonereeve/contract'
import { isDeepStrictEqual } from 'node:util'
import { describeIssues, isItem, itemsOf, type Item, type Reply } from './connection.ts'
import { sendLeavingOut, subjectOf, type ImportContext, type Subject } from './import-context.ts'

/** Operations of one request. */
const BATCH = 500
/** The server has an identical record, whose value it writes in another way. */
const IDENTICAL = 81_058

interface Write {
  readonly subject: Subject
  readonly body: Item
}

export async function importRecords(
  context: ImportContext,
  zone: { readonly name: string; readonly path: string },
  source: unknown,
  existing: unknown,
): Promise<void> {
  const known = new Map(itemsOf(existing).map((record) => [keyOf(record), record]))
  const [posts, patches]: [Write[], Write[]] = [[], []]
  for (const record of itemsOf(source)) {
    const subject = subjectOf(
      zone.name,
      'record',
      `${String(record['name'])} ${String(record['type'])}`,
      record,
    )
    const type = String(record['type'])
    const present = known.get(keyOf(record))
    if (!isKnownType(type))
      context.report({ ...subject, action: 'left out', reason: `there is no record type ${type} here` })
    else if (present === undefined) posts.push({ subject, body: draftOf(record) })
    else if (isDeepStrictEqual(attributesOf(present), attributesOf(record)))
      context.report({ ...subject, action: 'unchanged', target_id: String(present['id']) })
    else patches.push({ subject, body: { id: present['id'], ...attributesOf(record) } })
  }
  await write(context, zone.path, 'posts', posts)
  await write(context, zone.path, 'patches', patches)
}

async function write(
  { target, isPlan, report }: ImportContext,
  path: string,
  list: 'posts' | 'patches',
  writes: readonly Write[],
): Promise<void> {
  const action = list === 'posts' ? 'create' : 'update'
  if (isPlan) for (const { subject } of writes) report({ ...subject, action })
  for (let start = 0; !isPlan && start < writes.length; start += BATCH) {
    const chunk = writes.slice(start, start + BATCH)
    const send = (items: readonly Write[]): Promise<Reply> =>
      target.send('POST', `${path}/dns_records/batch`, { [list]: items.map(({ body }) => body) })
    const { reply, sent, refused } = await sendLeavingOut(chunk, `/${list}`, send)
    for (const { item, issues } of refused) {
      const isPresent = issues.every(({ code }) => code === IDENTICAL)
      const outcome = isPresent
        ? ({ action: 'unchanged' } as const)
        : ({ action: 'left out', reason: describeIssues(issues) } as const)
      report({ ...item.subject, ...outcome })
    }
    const results = reply?.ok === true && isItem(reply.result) ? itemsOf(reply.result[list]) : []
    for (const [index, { subject }] of sent.entries()) {
      if (reply?.ok === false)
        report({ ...subject, action: 'left out', reason: describeIssues(reply.issues) })
      else report({ ...subject, action, target_id: String(results[index]?.['id']) })
    }
  }
}

const isKnownType = (type: string): boolean =>
  RECORD_TYPES.some((known) => known === type) || /^TYPE\d+$/.test(type)

const keyOf = ({ type, name, content, priority }: Item): string =>
  JSON.stringify([type, name, content, priority])

/** Everything that makes the record, without what the server assigns. */
function draftOf(record: Item): Item {
  const { type, name, content, data } = record
  // Of a value in fields, the fields are exact; its text differs between servers.
  const value = isItem(data) && Object.keys(data).length > 0 ? { data } : { content }
  return { type, name, ...value, ...attributesOf(record) }
}

function attributesOf({ ttl, priority, proxied, comment, tags, settings }: Item): Item {
  const set = Object.entries(isItem(settings) ? settings : {}).filter(
    ([, value]) => value !== false && value !== null,
  )
  return {
    ttl,
    ...(priority === undefined ? {} : { priority }),
    proxied: proxied === true,
    comment: comment ?? null, // null: none
    tags: Array.isArray(tags) ? tags.map(String).toSorted() : [], // some servers leave them out
    ...(set.length === 0 ? {} : { settings: Object.fromEntries(set) }),
  }
}
