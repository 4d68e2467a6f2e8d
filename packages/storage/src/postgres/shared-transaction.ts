// Units that share a transaction. What they will read is read for all of them at once, their writes are not waited for, and
// they have no savepoints, unless the transaction is run again with more care.
import { createYieldIfDue } from '@zonereeve/cooperate'
import { DomainError } from '@zonereeve/platform'
import type { Compilable, CompiledQuery } from 'kysely'
import { compileFor } from '../engine.ts'
import {
  mustSendFirst,
  forgetWritten,
  type Memory,
  openMemory,
  type DeferredWrites,
  deferWrite,
} from '../row-memory.ts'
import type { Hook, WaitingUnit } from '../units.ts'
import { type Result, TakeError, toParameter } from './batch.ts'
import type { Connection } from './connection.ts'
import { isSerialization } from './failures.ts'
import { readerOf } from './readers.ts'
import type { SentStatements } from './sent-statements.ts'

const BEGIN_UNIT = 'SAVEPOINT unit'
const END_UNIT = 'RELEASE SAVEPOINT unit'
const ROLL_BACK_UNIT = `ROLLBACK TO ${BEGIN_UNIT}; ${END_UNIT}`
/** After so long, units have savepoints: no more work than that is repeated for the failure of another unit. */
const MILLIS_TO_REPEAT = 100

/**
 * How units share a transaction: without savepoints; each in its own; or waiting for their writes in addition, so that only
 * those fail whose own writes fail.
 */
export type Care = 'together' | 'savepoints' | 'replies'

/** A transaction that units share. */
export interface TransactionOfUnits {
  readonly units: number
  readonly failures: Map<WaitingUnit, unknown>
  readonly hooks: Hook[]
  readonly isWriter: boolean
  readonly sent: SentStatements
  readonly care: Care
  readonly beganAt: number
  /** Of units without savepoints: sent before anything else reads or writes their tables, and at the end. */
  readonly deferred: DeferredWrites
  /** Statements that wrote, or may have. */
  written: number
  /** What its units know; another one after each that was rolled back. */
  memory: Memory
}

/** A unit has failed that had written, and has no savepoint. */
export class UnitFailed extends Error {}
/** No statement of a unit failed that was waited for, but the server had to give the transaction up. */
export class RolledBack extends Error {}

export function createUnitRunner(writer: Pick<Connection, 'query' | 'command' | 'exec'>) {
  return { readAhead, runUnit, sendDeferred }

  /** @throws RolledBack: after a query that failed, the server takes no statement */
  async function readAhead(units: readonly WaitingUnit[], memory: Memory): Promise<void> {
    let failure: unknown
    const query: Connection['query'] = (compilable, take) =>
      writer.query(compilable, take).catch((thrown: unknown) => {
        failure ??= thrown
        throw thrown
      })
    const reader = { ...readerOf({ query }), memory }
    // A unit that fails here for another reason will fail in its turn.
    await Promise.allSettled(units.map(async (unit) => unit.readAhead?.(reader)))
    if (failure !== undefined) throw new RolledBack('what units will read cannot be read', { cause: failure })
  }

  async function runUnit(unit: WaitingUnit, shared: TransactionOfUnits): Promise<void> {
    const { hooks, isWriter, sent, care, memory, beganAt, deferred, written } = shared
    const hasSavepoint =
      care !== 'together' || unit.rehearsed || performance.now() - beganAt > MILLIS_TO_REPEAT
    const ownHooks: Hook[] = []
    const send = (compilable: Compilable<unknown>): Promise<Result> => {
      const compiled = compileToSend(compilable)
      forgetWritten(memory, compilable, compiled)
      shared.written += 1
      if (mustSendFirst(deferred, compilable, compiled)) sendDeferred(shared)
      return writer.query(compiled)
    }
    const submit = async (compilable: Compilable<unknown>): Promise<void> => {
      if (hasSavepoint || !deferWrite(deferred, memory, compilable, compileToSend))
        return sent.add(send(compilable))
      shared.written += 1
    }
    const read: Connection['query'] = (compilable, take) => {
      const compiled = 'sql' in compilable ? compilable : compileFor('postgres', compilable)
      const { kind } = compiled.query
      if (mustSendFirst(deferred, compilable, compiled)) sendDeferred(shared)
      // INSERT … RETURNING, or SQL by hand, which nothing that is remembered is written by.
      if (kind !== 'SelectQueryNode') shared.written += 1
      if (kind !== 'SelectQueryNode' && kind !== 'RawNode') forgetWritten(memory, compilable, compiled)
      return writer.query(compiled, take)
    }
    try {
      if (hasSavepoint) sendDeferred(shared)
      if (hasSavepoint) await sent.add(writer.command(BEGIN_UNIT))
      await unit.run({
        engine: 'postgres',
        isWriter,
        memory,
        run: async (compilable) => (await send(compilable)).count,
        submit,
        onCommit: (hook) => void ownHooks.push(hook),
        yieldIfDue: createYieldIfDue(),
        ...readerOf({ query: read }), // last, as in SQLite
      })
      if (unit.rehearsed) await throwFailure(sent)
      if (unit.rehearsed) await rollBackUnit(shared, written)
      else {
        if (hasSavepoint) await sent.add(writer.command(END_UNIT))
        // It fails if the unit has concealed that a read failed.
        if (care === 'replies') await throwFailure(sent)
        hooks.push(...ownHooks)
      }
    } catch (thrown) {
      await settleFailed(unit, thrown, shared, { hasSavepoint, writtenBefore: written })
    }
  }

  /** Without waiting for the replies; what fails is known at the end of the transaction. */
  function sendDeferred({ deferred, sent }: Pick<TransactionOfUnits, 'deferred' | 'sent'>): void {
    const writes = [...deferred.values()].flatMap((ofTable) => [...ofTable.values()])
    deferred.clear()
    for (const { compiled } of writes) sent.add(writer.query(compiled)).catch(() => {}) // as above
  }

  /** @throws whatever fails the transaction and not only the unit */
  async function settleFailed(
    unit: WaitingUnit,
    thrown: unknown,
    shared: TransactionOfUnits,
    { hasSavepoint, writtenBefore }: { readonly hasSavepoint: boolean; readonly writtenBefore: number },
  ): Promise<void> {
    const { units, failures, sent, care } = shared
    const failed = await sent.failure()
    // It may be one of a unit before: it decides, and not what came of it.
    const failure = failed ?? thrown ?? new Error('unit failed')
    if (isSerialization(failure) || (failed !== undefined && care !== 'replies')) throw failure
    failures.set(unit, failure)
    sent.forgetFailure()
    if (hasSavepoint) return rollBackUnit(shared, writtenBefore)
    // After a failed read, the server takes no statement.
    const isUnchanged = shared.written === writtenBefore && isRefusal(failure)
    if (units > 1 && !isUnchanged) throw new UnitFailed('', { cause: failure })
  }

  async function rollBackUnit(shared: TransactionOfUnits, writtenBefore: number): Promise<void> {
    if (shared.written > writtenBefore) shared.memory = openMemory()
    await writer.exec(ROLL_BACK_UNIT)
  }
}

/** @throws TypeError: a value has no form in SQL. Once it is among the statements of others, it could only fail all of them. */
function compileToSend(write: Compilable<unknown>): CompiledQuery {
  const compiled = compileFor('postgres', write)
  try {
    compiled.parameters.forEach(toParameter)
  } catch (failure) {
    throw failure instanceof TakeError ? failure.cause : failure
  }
  return compiled
}

/** Whether a rule of the product says no, and not the database. */
const isRefusal = (failure: unknown): boolean => failure instanceof DomainError && failure.cause === undefined

export async function throwFailure(sent: SentStatements): Promise<void> {
  const failure = await sent.failure()
  if (failure !== undefined) throw failure
}
