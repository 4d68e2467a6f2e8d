// Creates zones from files, one after the other: what one file lacks does not stop the next.
import { ApiError } from '../../api/call.ts'
import { replaceZoneText } from '../../api/zone-file.ts'
import { createZone, type WireZone } from '../../api/zones.ts'
import { sentenceOf } from '../../parts/states.tsx'
import { issueLine } from '../zone-text/wrong-lines.tsx'
import type { WrongLine } from './zone-files.ts'

export type ImportResult =
  | { readonly kind: 'waiting' | 'running' }
  | { readonly kind: 'created'; readonly zone: string; readonly records: number }
  /** There is no zone. */
  | { readonly kind: 'refused'; readonly problem: string }
  /** The zone was created, and its records were refused. */
  | {
      readonly kind: 'empty'
      readonly zone: string
      readonly wrong: readonly WrongLine[]
      readonly problem: string
    }

interface ImportedFile {
  readonly name: string
  readonly text: string
  readonly accountId: string | undefined
  readonly lowersTtls: boolean
}

const ALL_RECORDS = { etag: undefined, isRehearsal: false }

export async function importFile({ name, text, accountId, lowersTtls }: ImportedFile): Promise<ImportResult> {
  let zone: WireZone
  try {
    zone = await createZone({ name, ...(accountId === undefined ? {} : { account: { id: accountId } }) })
  } catch (error) {
    return { kind: 'refused', problem: sentenceOf(error) }
  }
  try {
    const { result } = await replaceZoneText(zone.id, { text, lowersTtls, ...ALL_RECORDS })
    return { kind: 'created', zone: zone.name, records: result.added }
  } catch (error) {
    const issues = error instanceof ApiError ? error.issues : []
    const wrong = issues.flatMap((issue) => {
      const line = issueLine(issue)
      return line === undefined ? [] : [{ line, message: `${issue.message} (${issue.code})` }]
    })
    return { kind: 'empty', zone: zone.name, wrong, problem: sentenceOf(error) }
  }
}
