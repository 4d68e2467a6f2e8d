// Writes records: a list of steps becomes one change set and one serial bump of the zone.
import type { Name } from '@zonereeve/dns'
import {
  type Actor,
  type Clock,
  DomainError,
  etagOf,
  type Expected,
  issueBelow,
  type Notice,
  requireMatch,
} from '@zonereeve/platform'
import { chunksOf } from '@zonereeve/cooperate'
import type { Reader, Transaction } from '@zonereeve/storage'
import { addressNotices, requireOwn, type Zone } from '../../zones/index.ts'
import type { DnsRecord } from './dns-record.ts'
import type { RecordFields, RecordInput } from './dns-records.rules.ts'
import {
  areChecksumsRight,
  deleteRecords,
  findRecordRow,
  parkRecords,
  placesOf,
} from './dns-records.store.ts'
import { insertRecord, updateRecord } from './record-rows.store.ts'
import { openCoexistenceCheck, readAhead, type CoexistenceCheck } from './coexistence.service.ts'
import {
  commitChanges,
  isReal,
  beginRecordChangeSet,
  proxiedAlias,
  type RecordChange,
  type RecordState,
  stateOf,
} from './record-changes.service.ts'
import { throwDamagedRecord } from './record-body.store.ts'
import { createRecordStates, type NamingZone, type RecordStatesDeps } from './record-states.service.ts'

export interface RecordEdit extends Omit<RecordInput, 'type'> {
  readonly type: string | undefined
}

/** Records whose names are looked up, and whose changes are written, together. */
export const RECORDS_IN_CHUNK = 100

/**
 * One step. `pointer` is where the client's body describes it, `expected` the version of the record that the client
 * has seen.
 */
export type RecordStep = { readonly pointer?: string; readonly expected?: Expected } & (
  | { readonly kind: 'create'; readonly input: RecordInput }
  /** An earlier state under the same id with its old times. A damaged row is replaced unread. */
  | { readonly kind: 'restore'; readonly id: string; readonly text: string; readonly isDamaged?: boolean }
  /** Members that are not given are reset to their defaults. */
  | { readonly kind: 'overwrite'; readonly id: string; readonly edit: RecordEdit }
  /** Members that are not given are kept. */
  | { readonly kind: 'edit'; readonly id: string; readonly edit: RecordEdit }
  | { readonly kind: 'remove'; readonly id: string }
)

export interface WriterDeps extends RecordStatesDeps {
  readonly clock: Clock
}

/** Result of the steps: for each the record's text (of a removed one, its last), and notices for the client. */
export interface Applied extends Outcome {
  readonly strings: readonly string[]
}

/** Result of a write for the zone. */
export interface Outcome {
  readonly notices: readonly Notice[]
  /** The proxied CNAMEs after the write. */
  readonly proxiedAliases: readonly { readonly name: Name; readonly target: Name }[]
  readonly zone: Zone
}

/** A record to be added. */
export interface Addition {
  readonly input: RecordInput
  /** Default of `proxied` if the input does not give it: true where the record can be proxied. */
  readonly proxiedIfPossible: boolean
}

/** Result of a list of additions. */
export interface Added extends Outcome {
  /** Number of added records by type. */
  readonly counts: ReadonlyMap<string, number>
  /** Rejected additions, by index in the list, with the error. */
  readonly refused: readonly { readonly index: number; readonly error: DomainError }[]
}

export interface InspectedRecord {
  /** Undefined if it is unreadable. */
  readonly text: string | undefined
  readonly isDamaged: boolean
}

interface StepChange extends RecordChange {
  readonly notices: readonly Notice[]
}

/** One transaction, as seen by steps. */
interface Session {
  readonly tx: Transaction
  readonly zone: Zone
  readonly at: string
  readonly coexistence: CoexistenceCheck
  /** Damaged records that are restored, as they were before they were parked. */
  readonly damaged: Map<string, RecordState>
}

export function createRecordWriter(deps: WriterDeps) {
  const { clock, fromText, edgeAddresses } = deps
  const states = createRecordStates(deps)
  return { apply, readAheadOf, add, inspect }

  /** The stored record, whether or not its row is damaged; undefined if there is none. */
  async function inspect(tx: Transaction, zone: Zone, id: string): Promise<InspectedRecord | undefined> {
    const row = await findRecordRow(tx, zone.id, id)
    if (row === undefined) return undefined
    // Reading a record takes longer than two checksums.
    if (areChecksumsRight(row)) return { text: row.body, isDamaged: false }
    const { damage, text } = states.readRow(row, zone).before
    return { text: damage === 'body' ? undefined : text, isDamaged: damage !== undefined }
  }

  /**
   * Applies `steps` in order, all or nothing.
   *
   * @throws DomainError: zone.follows; the errors of the first step that fails, their pointers below that step's.
   */
  async function apply(
    tx: Transaction,
    zone: Zone,
    steps: readonly RecordStep[],
    actor: Actor,
  ): Promise<Applied> {
    requireOwn(zone)
    const session = open(tx, zone)
    const changes: StepChange[] = []
    const returning = steps.flatMap((step) => (step.kind === 'restore' ? [step] : []))
    for (const { id, isDamaged } of returning)
      if (isDamaged === true) session.damaged.set(id, (await requireRecord(session, id, undefined)).before)
    await parkRecords(
      tx,
      zone.id,
      returning.map(({ id }) => id),
    )
    for (const step of steps) {
      const change = await withPointer(step, () => perform(session, step))
      await tx.yieldIfDue()
      // A restored record was parked: it leaves no name.
      if (step.kind === 'restore') session.coexistence.moveRecord(undefined, change.after)
      else if (step.kind !== 'create') session.coexistence.moveRecord(change.before, change.after)
      changes.push(change)
    }
    const { notices, proxiedAliases, zone: moved } = await finish(session, changes, actor)
    const strings = changes.map((change) => stateOf(change).text)
    return { notices, proxiedAliases, zone: moved, strings }
  }

  /** Reads what `apply` will read, except for records that are restored. */
  async function readAheadOf(tx: Reader, zone: NamingZone, steps: readonly RecordStep[]): Promise<void> {
    const names = await Promise.all(steps.map((step) => nameAhead(tx, zone, step)))
    const known = names.filter((name) => name !== undefined)
    if (known.length > 0) await readAhead(tx, zone, known)
  }

  /** The name at which the step will read records. */
  async function nameAhead(tx: Reader, zone: NamingZone, step: RecordStep): Promise<Name | undefined> {
    if (step.kind === 'create') return states.nameOf(step.input, zone)
    if (step.kind === 'restore') return undefined
    const row = await findRecordRow(tx, zone.id, step.id)
    if (row === undefined || step.kind === 'remove') return undefined
    const { name = row.name, type = row.type } = step.edit
    return states.nameOf({ ...step.edit, name, type }, zone)
  }

  /**
   * Adds each valid record, in order; a rejected one does not affect the others. @throws DomainError: zone.follows.
   */
  async function add(
    tx: Transaction,
    zone: Zone,
    additions: Iterable<Addition>,
    actor: Actor,
  ): Promise<Added> {
    requireOwn(zone)
    const session = open(tx, zone)
    const refused: { index: number; error: DomainError }[] = []
    const drafts: { index: number; fields: RecordFields }[] = []
    let index = 0
    for (const addition of additions) {
      const at = index
      await attempt(at, refused, async () => drafts.push({ index: at, fields: readAddition(addition, zone) }))
      index += 1
      await tx.yieldIfDue()
    }
    // A DS record needs the NS records at its name, which may come later in the list.
    drafts.sort((a, b) => Number(a.fields.type === 'DS') - Number(b.fields.type === 'DS'))
    const changes = beginRecordChangeSet(tx, zone, { actor, at: session.at })
    const notices: Notice[] = []
    const aliases: Outcome['proxiedAliases'][number][] = []
    const counts = new Map<string, number>()
    for (const some of chunksOf(drafts, RECORDS_IN_CHUNK)) {
      await session.coexistence.load(some.map(({ fields }) => fields.name))
      const inserted: StepChange[] = []
      for (const { index: at, fields } of some)
        await attempt(at, refused, async () => inserted.push(await insert(session, fields)))
      for (const { after, notices: issueNotices } of inserted) {
        if (after !== undefined) counts.set(after.record.type, (counts.get(after.record.type) ?? 0) + 1)
        notices.push(...issueNotices)
        aliases.push(...proxiedAlias(after))
      }
      if (inserted.length > 0) await changes.append(inserted)
      await tx.yieldIfDue()
    }
    const moved = counts.size === 0 ? zone : await changes.commit()
    return {
      notices: [...distinct(notices), ...addressNotices(moved)],
      proxiedAliases: aliases,
      zone: moved,
      counts,
      refused,
    }
  }

  function open(tx: Transaction, zone: Zone): Session {
    const coexistence = openCoexistenceCheck(tx, zone, { hasEdge: edgeAddresses.length > 0 })
    return { tx, zone, at: clock.timestamp(), coexistence, damaged: new Map() }
  }

  async function finish(
    { tx, zone, at }: Session,
    changes: readonly StepChange[],
    actor: Actor,
  ): Promise<Outcome> {
    const real = changes.filter(isReal)
    const moved = real.length === 0 ? zone : await commitChanges(tx, zone, real, { actor, at })
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
    return insert(session, states.requireFields(input, session.zone))
  }

  async function insert(session: Session, fields: RecordFields): Promise<StepChange> {
    const { tx, zone, at, coexistence } = session
    const notices = await coexistence.check(fields)
    const after = states.fresh(fields, zone, at)
    await insertRecord(tx, after.record, after.text)
    coexistence.moveRecord(undefined, after)
    return { before: undefined, after, notices }
  }

  async function restore(session: Session, id: string, text: string): Promise<StepChange> {
    const { tx, zone, coexistence, damaged } = session
    const stored = fromText(text)
    const fields = states.requireFields(stored.input, zone)
    const notices = await coexistence.check(fields, { id, name: fields.name })
    const after = states.restoreState(fields, id, stored, zone)
    const known = damaged.has(id) ? undefined : await findRecordRow(tx, zone.id, id)
    const before = known === undefined ? damaged.get(id) : states.readBack(known.body, zone, id).before
    if (before === undefined) await insertRecord(tx, after.record, after.text)
    else await updateRecord(tx, after.record, after.text)
    return { before, after, notices }
  }

  async function change(
    session: Session,
    { kind, id, edit, expected }: Extract<RecordStep, { readonly edit: RecordEdit }>,
    inputFrom: (before: RecordInput) => RecordInput,
  ): Promise<StepChange> {
    const { tx, zone, at, coexistence } = session
    const { before, input } = await requireRecord(session, id, expected)
    // An edit would keep members that may be damaged.
    if (kind === 'edit' && before.damage === 'body') throwDamagedRecord(id)
    if (edit.type !== undefined && edit.type !== before.record.type) {
      throw new DomainError({ reason: 'record.type_change', pointer: '/type' })
    }
    const fields = states.requireFields(inputFrom(input), zone)
    const notices = await coexistence.check(fields, before.record)
    const after = states.applyFields(before, fields, zone, at)
    if (after !== before) await updateRecord(tx, after.record, after.text, undefined, wholeOf(before))
    return { before, after, notices }
  }

  async function remove(
    session: Session,
    { id, expected }: { readonly id: string; readonly expected?: Expected },
  ): Promise<StepChange> {
    const { before } = await requireRecord(session, id, expected)
    const whole = wholeOf(before)
    await deleteRecords(session.tx, [id], ...(whole === undefined ? [] : placesOf(whole)))
    return { before, after: undefined, notices: [] }
  }

  /** @throws DomainError: every broken rule. */
  function readAddition({ input, proxiedIfPossible }: Addition, zone: Zone): RecordFields {
    const fields = states.requireFields(input, zone)
    const isProxied = proxiedIfPossible && input.proxied === undefined && fields.proxiable
    return isProxied ? states.requireFields({ ...input, proxied: true }, zone) : fields
  }

  /** @throws DomainError: record.unknown, request.precondition. */
  async function requireRecord({ tx, zone }: Session, id: string, expected: Expected) {
    const row = await findRecordRow(tx, zone.id, id)
    if (row === undefined) throw new DomainError({ reason: 'record.unknown' })
    requireMatch(expected, etagOf(row.body))
    return states.readRow(row, zone)
  }
}

/** Runs an addition and records its rejection; a rejected addition writes nothing. */
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

async function withPointer<T>({ pointer }: RecordStep, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (pointer === undefined || !(error instanceof DomainError)) throw error
    const [first, ...rest] = error.issues
    throw new DomainError(
      [issueBelow(pointer, first), ...rest.map((issue) => issueBelow(pointer, issue))],
      error.notices,
    )
  }
}

/** Undefined if the columns may hold something else. */
const wholeOf = ({ record, damage }: RecordState): DnsRecord | undefined =>
  damage === undefined ? record : undefined

/** Merges a patch into a record. */
function merge(before: RecordInput, patch: RecordEdit): RecordInput {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  return { ...before, ...given, type: before.type }
}

/** A batch repeats the same notice for many records; one is enough. */
function distinct(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [JSON.stringify(notice), notice])).values()]
}
