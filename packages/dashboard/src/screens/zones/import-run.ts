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
  /** The zone was created. It is not known whether it has its records. */
  | { readonly kind: 'unanswered'; readonly zone: CreatedZone }
  /** The zone was created, and its records were refused. */
  | {
      readonly kind: 'empty'
      readonly zone: string
      readonly wrong: readonly WrongLine[]
      readonly problem: string
    }

export type CreatedZone = Pick<WireZone, 'id' | 'name'>

interface Content {
  readonly text: string
  readonly lowersTtls: boolean
}

interface ImportedFile extends Content {
  readonly name: string
  readonly accountId: string | undefined
}

const ALL_RECORDS = { etag: undefined, isRehearsal: false }
const SERVER_ERROR = 500

export async function importFile({ name, accountId, ...content }: ImportedFile): Promise<ImportResult> {
  let zone: WireZone
  try {
    zone = await createZone({ name, ...(accountId === undefined ? {} : { account: { id: accountId } }) })
  } catch (error) {
    return { kind: 'refused', problem: sentenceOf(error) }
  }
  return fillZone(zone, content)
}

/** Gives the zone the records of the file, also once more. */
export async function fillZone(zone: CreatedZone, content: Content): Promise<ImportResult> {
  try {
    const { result } = await replaceZoneText(zone.id, { ...content, ...ALL_RECORDS })
    return { kind: 'created', zone: zone.name, records: result.added }
  } catch (error) {
    return failureOf(error, zone)
  }
}

/** Only a refusal by the server proves that the zone has no records. */
export function failureOf(error: unknown, { id, name }: CreatedZone): ImportResult {
  if (!(error instanceof ApiError) || !isRefusal(error)) return { kind: 'unanswered', zone: { id, name } }
  const wrong = error.issues.flatMap((issue) => {
    const line = issueLine(issue)
    return line === undefined ? [] : [{ line, message: `${issue.message} (${issue.code})` }]
  })
  return { kind: 'empty', zone: name, wrong, problem: sentenceOf(error) }
}

/** Without an answer there is no status, and the error of a proxy in between has no code. */
const isRefusal = ({ status, issues }: ApiError): boolean =>
  status !== 0 && (status < SERVER_ERROR || issues.some(({ code }) => code !== 0))
