// A change set in a few words: `www A changed to 192.0.2.7`, `3 records deleted, 1 added`.
import type { WireChange, WireChangeSummary } from '@zonereeve/contract'
import type { WireRecord } from '../../api/records.ts'
import { changeStrings } from '../../strings/changes.ts'
import { isRecord, relativeTo, ttlText, valueLine } from '../records/record-text.ts'

export type ChangeMark = 'add' | 'remove' | 'change' | 'info'

type Described = Pick<WireChangeSummary, 'kinds' | 'first_record' | 'operations'>

/** @param zone Name of the zone, which is left out of names. */
export function changeText({ kinds, first_record: first, operations }: Described, zone: string): string {
  const described = kinds.reduce((sum, kind) => sum + kind.operations, 0)
  const single = first === null ? undefined : recordText(first, zone)
  if (described < operations && kinds[0] !== undefined)
    return changeStrings.atLeast(operations, single ?? kindText(kinds[0], true))
  if (operations === 1 && single !== undefined) return single
  const sentences = kinds.map((kind, index) => kindText(kind, index === 0))
  return sentences.length === 0 ? changeStrings.nothing : sentences.join(', ')
}

/** What the list of changes says of a change set, from its operations. */
export function summaryOf(ops: WireChange['ops']): Described {
  const counts = new Map<string, number>()
  for (const { kind } of ops) counts.set(kind, (counts.get(kind) ?? 0) + 1) // not met yet
  const first = ops.find(({ before, after }) => isRecord(before) || isRecord(after))
  return {
    operations: ops.length,
    kinds: [...counts].map(([kind, operations]) => ({ kind, operations })),
    first_record: first === undefined ? null : { before: first.before, after: first.after },
  }
}

/** The mark in the margin. */
export function changeMark({ kinds }: Pick<Described, 'kinds'>): ChangeMark {
  const recordVerbs = kinds.filter(({ kind }) => kind.startsWith(RECORD)).map(({ kind }) => kind)
  if (recordVerbs.length === 0) return 'info'
  if (recordVerbs.every((kind) => kind === 'dns_record.create')) return 'add'
  return recordVerbs.every((kind) => kind === 'dns_record.delete') ? 'remove' : 'change'
}

const RECORD = 'dns_record.'

type Kind = WireChangeSummary['kinds'][number]

/** `3 records added`, `DNSSEC changed (2 times)`. */
export function kindText({ kind, operations }: Kind, isFirst: boolean): string {
  const [noun, verb] = split(kind)
  if (noun === 'dns_record' && isRecordVerb(verb)) {
    const text = changeStrings.manyOf[verb](operations)
    return isFirst ? text : text.replace(/ records? /, ' ')
  }
  const name = isNoun(noun) ? changeStrings.nouns[noun] : noun
  const text = isNamed(kind) ? changeStrings.kinds[kind] : `${name} ${doneText(verb)}`
  return changeStrings.times(isFirst ? text : withinSentence(text), operations)
}

/** `ruleset changed`, but `DNSSEC changed`. */
const withinSentence = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** `rule_create` → `rule added`; a verb without a text stands as it is. */
const doneText = (verb: string): string =>
  verb
    .split('_')
    .map((word) => (isVerb(word) ? changeStrings.verbs[word] : word))
    .join(' ')

function split(kind: string): [noun: string, verb: string] {
  const at = kind.indexOf('.')
  return [kind.slice(0, at), kind.slice(at + 1)]
}

const isNamed = (kind: string): kind is keyof typeof changeStrings.kinds => kind in changeStrings.kinds
const isVerb = (text: string): text is keyof typeof changeStrings.verbs => text in changeStrings.verbs
const isRecordVerb = (text: string): text is keyof typeof changeStrings.manyOf => text in changeStrings.manyOf
const isNoun = (text: string): text is keyof typeof changeStrings.nouns => text in changeStrings.nouns

function recordText(
  { before, after }: NonNullable<Described['first_record']>,
  zone: string,
): string | undefined {
  if (isRecord(before) && isRecord(after)) return updateText(before, after, zone)
  if (isRecord(after)) return changeStrings.added(labelOf(after, zone), valueLine(after))
  return isRecord(before) ? changeStrings.deleted(labelOf(before, zone), valueLine(before)) : undefined
}

const labelOf = ({ name, type }: WireRecord, zone: string): string => `${relativeTo(name, zone)} ${type}`

/** Its most important change: what DNS answers, then how long, then everything else. */
function updateText(before: WireRecord, after: WireRecord, zone: string): string {
  const label = labelOf(after, zone)
  if (labelOf(before, zone) !== label) return changeStrings.renamed(labelOf(before, zone), label)
  if (valueLine(before) !== valueLine(after)) return changeStrings.changedTo(label, valueLine(after))
  if (before.proxied !== after.proxied) return changeStrings.proxied(label, after.proxied)
  if (before.ttl !== after.ttl) return changeStrings.ttl(label, ttlText(after.ttl))
  if (before.comment !== after.comment) return changeStrings.comment(label)
  if (String(before.tags) !== String(after.tags)) return changeStrings.tags(label)
  return changeStrings.settings(label)
}
