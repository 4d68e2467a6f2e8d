// Zone files as they are chosen for import: the zone that each is of, its records by type, and what cannot be read.
import {
  createZoneReader,
  linesOf,
  NameError,
  parseName,
  typeText,
  ZoneFileError,
  type Name,
  type ZoneFileRecord,
} from '@zonereeve/dns'

export interface WrongLine {
  readonly line: number
  readonly message: string
}

export interface FilePreview {
  /** Records without the SOA, which the new zone has by itself. */
  readonly records: number
  /** By type, most frequent first. */
  readonly counts: readonly (readonly [type: string, count: number])[]
  /** The first ones. */
  readonly wrong: readonly WrongLine[]
  readonly wrongCount: number
}

/** Lines of a file that are named. */
const MAX_WRONG = 20
/** Lines between two pauses, in which the page can be used. */
const LINES_IN_A_CHUNK = 2_000
/** Records without a TTL, and without one before them. */
const AUTOMATIC_TTL = 1
const SOA = 'SOA'

/** The name that the file gives to its zone: by $ORIGIN, by the SOA, or by its own name. Empty if none is clear. */
export function zoneNameOf(text: string, fileName: string): string {
  for (const line of linesOf(text)) {
    const origin = /^\$ORIGIN\s+(\S+)/i.exec(line)?.[1]
    if (origin !== undefined) return bare(origin)
    const owner = /^(\S+\.)\s(?:.*\s)?SOA\s/i.exec(line)?.[1]
    if (owner !== undefined) return bare(owner)
    if (/^[^;\s]/.test(line) && !line.startsWith('$')) break
  }
  const name = fileName.replace(/^(db|zone)\.(?=.*\.)/i, '').replace(/\.(zone|txt|db|dns|hosts)$/i, '')
  return name.includes('.') ? bare(name) : ''
}

const bare = (name: string): string => name.replace(/\.$/, '').toLowerCase()

/** Undefined for what is no domain name. */
export function originOf(zoneName: string): Name | undefined {
  try {
    return zoneName.trim() === '' ? undefined : parseName(zoneName.trim())
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

/** Reads the whole file, with pauses. Rules of types are the server's to check. @throws what `signal` was aborted with */
export async function previewOf(text: string, origin: Name, signal: AbortSignal): Promise<FilePreview> {
  const reader = createZoneReader({ origin, defaultTtlSeconds: AUTOMATIC_TTL })
  const counts = new Map<string, number>()
  const wrong: WrongLine[] = []
  let wrongCount = 0
  const note = (line: number, message: string): void => {
    wrongCount += 1
    if (wrong.length < MAX_WRONG) wrong.push({ line, message })
  }
  const take = (item: ZoneFileRecord | ZoneFileError): void => {
    if (item instanceof ZoneFileError) return note(item.line, item.message.replace(/^line \d+, /, ''))
    const type = typeText(item.type)
    if (!isWithin(item.name, origin)) note(item.line, outside(item.name, origin))
    else if (type !== SOA) counts.set(type, (counts.get(type) ?? 0) + 1) // the first of its type
  }
  let lines = 0
  for (const line of linesOf(text)) {
    for (const item of reader.line(line)) take(item)
    if ((lines += 1) % LINES_IN_A_CHUNK === 0) {
      await new Promise((resolve) => setTimeout(resolve))
      signal.throwIfAborted()
    }
  }
  for (const item of reader.end()) take(item)
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one)
  return { records: sorted.reduce((sum, [, count]) => sum + count, 0), counts: sorted, wrong, wrongCount }
}

const isWithin = (name: Name, origin: Name): boolean => name === origin || name.endsWith(`.${origin}`)

const outside = (name: Name, origin: Name): string => `${name} is not within the zone ${origin}`
