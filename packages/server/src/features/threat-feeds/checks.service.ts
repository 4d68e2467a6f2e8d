// The inventory held against the feeds again whenever they have changed: what is reported now is flagged, and what is
// not any more is cleared.
import type { Storage } from '../../storage/index.ts'
import type { PageShield } from '../page-shield/index.ts'
import { judge } from './judge.ts'
import { feedVersion } from './threat-feeds.store.ts'

export interface ChecksDeps {
  readonly storage: Storage
  readonly contents: Pick<PageShield['contents'], 'dueForCheck' | 'markReported'>
}

/** Resources in one transaction, and held against the feeds at a stretch: others work in between. */
const RESOURCES_AT_ONCE = 64

/** Checks whatever was not held against the feeds as they are now. @returns how many resources that were. */
export async function checkInventory(
  { storage, contents }: ChecksDeps,
  signal: AbortSignal,
): Promise<number> {
  let checked = 0
  while (!signal.aborted) {
    const due = await contents.dueForCheck(await feedVersion(storage), RESOURCES_AT_ONCE)
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
