// Zone files as they are chosen for import: the zone that each is of, its records by type, and what cannot be read.
import {
  createZoneReader,
  joinName,
  linesOf,
  NameError,
  parseName,
  ROOT,
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
/** Lines in which the SOA is looked for, without a pause. In a zone file it is the first record. */
const MAX_LINES_BEFORE_SOA = 10_000
/** The origin of a file that gives none: names below it are relative to an origin that is not known. */
const UNKNOWN = parseName('origin-unknown.invalid')

/**
 * The name that the file gives to its zone: by the owner of its SOA, by the $ORIGIN above its records, or by its own
 * name. Empty if none is clear.
 */
export function zoneNameOf(text: string, fileName: string): string {
  const name = nameInFileName(fileName)
  const named = originOf(name)
  let origin = named ?? UNKNOWN
  const reader = createZoneReader({ origin, defaultTtlSeconds: AUTOMATIC_TTL })
  const owners: Name[] = []
  let lines = 0
  for (const line of linesOf(text)) {
    for (const item of reader.line(line)) {
      if (item instanceof ZoneFileError) continue
      if (typeText(item.type) === SOA)
        return isWithin(item.name, UNKNOWN) || item.name === ROOT ? '' : item.name
      owners.push(item.name)
    }
    if (owners.length === 0) origin = originAfter(line, origin)
    if ((lines += 1) === MAX_LINES_BEFORE_SOA) break
  }
  if (origin !== named && origin !== ROOT && !isWithin(origin, UNKNOWN)) return origin
  return named !== undefined && owners.every((owner) => isWithin(owner, named)) ? name : ''
}

function nameInFileName(fileName: string): string {
  const name = fileName.replace(/^(db|zone)\.(?=.*\.)/i, '').replace(/\.(zone|txt|db|dns|hosts)$/i, '')
  return name.includes('.') ? name.replace(/\.$/, '').toLowerCase() : ''
}

/** The origin of the lines after this one. */
function originAfter(line: string, origin: Name): Name {
  const written = /^\$ORIGIN\s+([^\s;]+)/i.exec(line)?.[1]
  try {
    return written === undefined ? origin : joinName(written, origin)
  } catch (error) {
    if (error instanceof NameError) return origin // the preview names the line
    throw error
  }
}

/** Undefined for what is no domain name. */
export function originOf(zoneName: string): Name | undefined {
  try {
    const name = zoneName.trim()
    return name === '' ? undefined : parseName(asciiOf(name))
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

/** With A-labels, as the server converts it: ASCII stays, as the rules of URLs would read `1.2` as an address. */
function asciiOf(name: string): string {
  if (/^\p{ASCII}*$/u.test(name) || /[/\\?#@:%\s]/.test(name)) return name
  try {
    return new URL(`https://${name}`).hostname
  } catch (error) {
    if (error instanceof TypeError) return name // no name, as parseName finds
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
