// The key that reporting addresses are signed with: made once, and the same on every node.
import { randomBytes } from 'node:crypto'
import { query, type Storage } from '../../storage/index.ts'

const NAME = 'page_shield.reporting_key'
const KEY_BYTES = 32

/** The key; made and stored where there is none. */
export async function openReportingKey(storage: Storage): Promise<Uint8Array> {
  return storage.write(async (tx) => {
    const known = await tx.first(query.selectFrom('settings').select('value').where('name', '=', NAME))
    if (known !== undefined) return Buffer.from(known.value, 'base64')
    const key = randomBytes(KEY_BYTES)
    await tx.run(query.insertInto('settings').values({ name: NAME, value: key.toString('base64') }))
    return key
  })
}
