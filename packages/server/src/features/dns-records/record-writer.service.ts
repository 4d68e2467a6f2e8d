// Writes records: a list of steps becomes one change set of the zone, one move of its serial, one announcement.
import type { Name } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, type Notice } from '../../platform/domain-error.ts'
import { demandMatch, etagOf, type Expected } from '../../platform/etag.ts'
import { portions } from '../../platform/portions.ts'
import type { Transaction } from '../../storage/index.ts'
import { addressNotices, demandOwn, type Zone } from '../zones/index.ts'
import type { RecordFields, RecordInput } from './dns-records.rules.ts'
import {
  deleteRecords,
  findRecordText,
  insertRecord,
  parkRecords,
  updateRecord,
} from './dns-records.store.ts'
import { openPlacing, type Placing } from './placing.service.ts'
import {
  commitChanges,
  isReal,
  openChanges,
  proxiedAlias,
  type RecordChange,
  type RecordsChanged,
} from './record-changes.service.ts'
import { createRecordStates, type RecordStatesDeps } from './record-states.service.ts'

export interface RecordEdit extends Omit<RecordInput, 'type'> {
  readonly type: string | undefined
}

/** Records written before others have a turn: some ten milliseconds. */
export const RECORDS_AT_ONCE = 100

/** One step; `pointer` is where the caller's body describes it, and `expected` what the caller has seen of the record. */
export type RecordStep = { readonly pointer?: string; readonly expected?: Expected } & (
  | { readonly kind: 'create'; readonly input: RecordInput }
  /** A record that once was: under its old id, with its old times. */
  | { readonly kind: 'restore'; readonly id: string; readonly text: string }
  /** Members that are not said go back to their defaults. */
  | { readonly kind: 'overwrite'; readonly id: string; readonly edit: RecordEdit }
  /** Members that are not said stay. */
  | { readonly kind: 'edit'; readonly id: string; readonly edit: RecordEdit }
  | { readonly kind: 'remove'; readonly id: string }
)

export interface WriterDeps extends RecordStatesDeps {
  readonly clock: Clock
  readonly publish: (change: RecordsChanged) => void | Promise<void>
}

/** What the steps came to: for each the record's text (of a removed one, its last), and what its writer should know. */
export interface Applied extends Outcome {
  readonly texts: readonly string[]
}

/** What a write came to for the zone. */
export interface Outcome {
  readonly notices: readonly Notice[]
  /** Proxied CNAMEs as they are now. */
  readonly proxiedAliases: readonly { readonly name: Name; readonly target: Name }[]
  readonly zone: Zone
}

/** A record to be added. */
export interface Addition {
  readonly input: RecordInput
  /** Where the input does not say: proxied, if it can be. */
  readonly proxiedIfPossible: boolean
}

/** What came of a list of additions. */
export interface Added extends Outcome {
  /** How many of each type were added. */
  readonly counts: ReadonlyMap<string, number>
  /** Those that were not, by their place in the list, and why. */
  readonly refused: readonly { readonly index: number; readonly error: DomainError }[]
}

interface StepChange extends RecordChange {
  readonly notices: readonly Notice[]
}

/** One transaction, as steps see it. */
interface Session {
  readonly tx: Transaction
  readonly zone: Zone
  readonly at: string
  readonly placing: Placing
}

export function createRecordWriter(deps: WriterDeps) {
  const { clock, publish, fromText, edgeAddresses } = deps
  const states = createRecordStates(deps)
  return { apply, add }

  /**
   * Applies `steps` in order, all or nothing.
   *
   * @throws DomainError: zone.follows; what is wrong with the first step that fails, its pointers below that step's.
   */
  async function apply(
    tx: Transaction,
    zone: Zone,
    steps: readonly RecordStep[],
    actor: Actor,
  ): Promise<Applied> {
    demandOwn(zone)
    const session = open(tx, zone)
    const changes: StepChange[] = []
    const returning = steps.flatMap((step) => (step.kind === 'restore' ? [step.id] : []))
    await parkRecords(tx, zone.id, returning)
    for (const step of steps) {
      const change = await located(step, () => perform(session, step))
      if (step.kind !== 'create') session.placing.moved(change.before, change.after)
      changes.push(change)
    }
    const outcome = await finish(session, changes, actor)
    return { ...outcome, texts: changes.map(({ before, after }) => (after ?? before)?.text ?? '') }
  }

  /** Adds what can be added, in order; one that is refused leaves the others alone. @throws DomainError: zone.follows. */
  async function add(
    tx: Transaction,
    zone: Zone,
    additions: Iterable<Addition>,
    actor: Actor,
  ): Promise<Added> {
    demandOwn(zone)
    const session = open(tx, zone)
    const refused: { index: number; error: DomainError }[] = []
    const drafts: { index: number; fields: RecordFields }[] = []
    let index = 0
    for (const addition of additions) {
      const at = index
      await attempt(at, refused, async () => drafts.push({ index: at, fields: readAddition(addition, zone) }))
      if ((index += 1) % RECORDS_AT_ONCE === 0) await tx.pause()
    }
    // A DS record needs the NS records at its name, which may come behind it.
    drafts.sort((a, b) => Number(a.fields.type === 'DS') - Number(b.fields.type === 'DS'))
    const changes = openChanges(tx, zone, { actor, at: session.at, publish })
    const notices: Notice[] = []
    const aliases: Outcome['proxiedAliases'][number][] = []
    const counts = new Map<string, number>()
    for (const some of portions(drafts, RECORDS_AT_ONCE)) {
      await session.placing.load(some.map(({ fields }) => fields.name))
      const inserted: StepChange[] = []
      for (const { index: at, fields } of some)
        await attempt(at, refused, async () => inserted.push(await insert(session, fields)))
      for (const { after, notices: told } of inserted) {
        if (after !== undefined) counts.set(after.record.type, (counts.get(after.record.type) ?? 0) + 1)
        notices.push(...told)
        aliases.push(...proxiedAlias(after))
      }
      if (inserted.length > 0) await changes.note(inserted)
      await tx.pause()
    }
    const moved = counts.size === 0 ? zone : await changes.finish()
    return {
      notices: [...distinct(notices), ...addressNotices(moved)],
      proxiedAliases: aliases,
      zone: moved,
      counts,
      refused,
    }
  }

  function open(tx: Transaction, zone: Zone): Session {
    const placing = openPlacing(tx, zone, { hasEdge: edgeAddresses.length > 0 })
    return { tx, zone, at: clock.timestamp(), placing }
  }

  async function finish(
    { tx, zone, at }: Session,
    changes: readonly StepChange[],
    actor: Actor,
  ): Promise<Outcome> {
    const real = changes.filter(isReal)
    const moved = real.length === 0 ? zone : await commitChanges(tx, zone, real, { actor, at, publish })
    return {
      notices: [...distinct(changes.flatMap(({ notices }) => notices)), ...addressNotices(moved)],
      proxiedAliases: changes.flatMap(({ after }) => proxiedAlias(after)),
      zone: moved,
    }
  }

  function perform(session: Session, step: RecordStep): Promise<StepChange> {
    switch (step.kind) {
      case 'create':
        return create(session, step.input)
      case 'restore':
        return restore(session, step.id, step.text)
      case 'overwrite':
        return change(session, step, (before) => ({
          ...step.edit,
          type: before.type,
          name: step.edit.name ?? before.name,
        }))
      case 'edit':
        return change(session, step, (before) => merge(before, step.edit))
      case 'remove':
        return remove(session, step)
    }
  }

  async function create(session: Session, input: RecordInput): Promise<StepChange> {
    return insert(session, states.demand(input, session.zone))
  }

  async function insert(session: Session, fields: RecordFields): Promise<StepChange> {
    const { tx, zone, at, placing } = session
    const notices = await placing.check(fields)
    const after = states.fresh(fields, zone, at)
    await insertRecord(tx, after.record, after.text)
    placing.moved(undefined, after)
    return { before: undefined, after, notices }
  }

  async function restore({ tx, zone, placing }: Session, id: string, text: string): Promise<StepChange> {
    const stored = fromText(text)
    const fields = states.demand(stored.input, zone)
    const notices = await placing.check(fields, id)
    const after = states.restored(fields, id, stored, zone)
    const known = await findRecordText(tx, zone.id, id)
    const before = known === undefined ? undefined : states.readBack(known, zone, id).before
    if (before === undefined) await insertRecord(tx, after.record, after.text)
    else await updateRecord(tx, after.record, after.text)
    return { before, after, notices }
  }

  async function change(
    session: Session,
    { id, edit, expected }: { readonly id: string; readonly edit: RecordEdit; readonly expected?: Expected },
    inputFrom: (before: RecordInput) => RecordInput,
  ): Promise<StepChange> {
    const { tx, zone, at, placing } = session
    const { before, input } = await demand(session, id, expected)
    if (edit.type !== undefined && edit.type !== before.record.type) {
      throw new DomainError({ reason: 'record.type_change', pointer: '/type' })
    }
    const fields = states.demand(inputFrom(input), zone)
    const notices = await placing.check(fields, id)
    const after = states.changed(before, fields, zone, at)
    if (after !== before) await updateRecord(tx, after.record, after.text)
    return { before, after, notices }
  }

  async function remove(
    session: Session,
    { id, expected }: { readonly id: string; readonly expected?: Expected },
  ): Promise<StepChange> {
    const { before } = await demand(session, id, expected)
    await deleteRecords(session.tx, [id])
    return { before, after: undefined, notices: [] }
  }

  /** @throws DomainError: every broken rule. */
  function readAddition({ input, proxiedIfPossible }: Addition, zone: Zone): RecordFields {
    const fields = states.demand(input, zone)
    const isProxied = proxiedIfPossible && input.proxied === undefined && fields.proxiable
    return isProxied ? states.demand({ ...input, proxied: true }, zone) : fields
  }

  /** @throws DomainError: record.unknown, request.precondition. */
  async function demand({ tx, zone }: Session, id: string, expected: Expected) {
    const text = await findRecordText(tx, zone.id, id)
    if (text === undefined) throw new DomainError({ reason: 'record.unknown' })
    demandMatch(expected, etagOf(text))
    return states.readBack(text, zone, id)
  }
}

/** A refusal is noted; nothing of what was refused has been written. */
async function attempt(
  index: number,
  refused: { index: number; error: DomainError }[],
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    refused.push({ index, error })
  }
}

async function located<T>({ pointer }: RecordStep, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (pointer === undefined || !(error instanceof DomainError)) throw error
    const [first, ...rest] = error.issues.map((issue) => ({
      ...issue,
      pointer: `${pointer}${issue.pointer ?? ''}`,
    }))
    throw first === undefined ? error : new DomainError([first, ...rest], error.notices)
  }
}

/** Lays a patch over a record. */
function merge(before: RecordInput, patch: RecordEdit): RecordInput {
  const said = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  return { ...before, ...said, type: before.type }
}

/** A batch says the same thing of many records; once is enough. */
function distinct(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [JSON.stringify(notice), notice])).values()]
}
