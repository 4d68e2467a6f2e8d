// Checks DNS answers after a client has reported success.
import type { RecordType } from 'dns-packet'
import { deepEqual } from 'node:assert/strict'
import { ask } from '../dns-client.ts'
import type { Target } from '../program.ts'

/** Checks that the target answers `name` with exactly these records ("TYPE ttl data", sorted). */
export async function expectAnswers(
  target: Target,
  name: string,
  type: RecordType,
  expected: readonly string[],
): Promise<void> {
  deepEqual((await ask(target.dns, name, type)).answers, expected)
}
