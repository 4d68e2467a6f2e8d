// Rechecks the inventory whenever the feeds have changed: flags newly listed resources and clears those no
// longer listed.
import type { Storage } from '@zonereeve/storage'
import type { PageShield } from '../page-shield/index.ts'
import { judge } from './judge.ts'
import { feedVersion } from './threat-feeds.store.ts'

export interface ChecksDeps {
  readonly storage: Storage
  readonly contents: Pick<PageShield['contents'], 'dueForCheck' | 'markReported'>
}

/** Resources checked per transaction; other writers run in between. */
const RESOURCES_PER_TRANSACTION = 64

/**
 * Checks all resources not yet checked against the current feeds.
 * @returns how many were checked.
 */
export async function checkInventory(
  { storage, contents }: ChecksDeps,
  signal: AbortSignal,
): Promise<number> {
  let checked = 0
  while (!signal.aborted) {
    const due = await contents.dueForCheck(await feedVersion(storage), RESOURCES_PER_TRANSACTION)
    if (due.length === 0) break
    const judgement = await judge(
      storage,
      due.map(({ url }) => url),
    )
    const verdicts = due.flatMap(({ id, zoneId }, index) => {
      const verdict = judgement.verdicts[index]
      return verdict === undefined ? [] : [{ id, zoneId, ...verdict }]
    })
    await contents.markReported(judgement.feedVersion, verdicts)
    checked += due.length
  }
  return checked
}
