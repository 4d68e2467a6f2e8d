// Reads zone files (RFC 1035 §5, RFC 2308 §4, RFC 3597 §5) line by line: only the open entry is kept in memory.

import { elementAt } from '../checked-reads.ts'
import { CLASS } from '../codes.ts'
import { NameError, TextError, WireError } from '../errors.ts'
import { joinName } from '../name-tree.ts'
import type { Name } from '../name.ts'
import { readEntry, TokenReader } from '../presentation.ts'
import type { Entry, Token } from '../presentation.ts'
import { rdataFromTokens } from '../rdata.ts'
import { isDataType, typeCode } from '../type-code.ts'
import { NO_ATTRIBUTES, readAttributes } from './attributes.ts'
import type { RecordAttributes } from './attributes.ts'
import { positionOf, scanLine } from './entry-text.ts'
import { parseRange, rangeCount, substitute } from './generate.ts'
import { MAX_TTL_SECONDS, parseTtl } from './ttl.ts'
import { ZoneFileError } from './zone-file-error.ts'

/** Maximum characters of one entry: the largest rdata with every octet as a decimal escape, twice. */
export const MAX_ENTRY_CHARACTERS = 524_288
/** Maximum records of one $GENERATE. */
export const MAX_GENERATED_RECORDS = 65_536
/**
 * Maximum characters that all $GENERATE lines of a file may produce: many times what the maximum number of records
 * needs with typical names.
 */
export const MAX_GENERATED_CHARACTERS = 33_554_432

/** A record of a zone file. */
export interface ZoneFileRecord {
  readonly name: Name
  readonly ttlSeconds: number
  /** Type number. */
  readonly type: number
  /** Names uncompressed. Only the fields are checked, not the rules of the type. */
  readonly rdata: Uint8Array
  readonly attributes: RecordAttributes
  /** Line of its first character, from 1. */
  readonly line: number
}

/** Defaults for names and TTLs until the file sets them. */
export interface ZoneFileOptions {
  readonly origin: Name
  /** For records without a TTL if there is no $TTL and no earlier TTL. If undefined, such records are refused. */
  readonly defaultTtlSeconds?: number
}

/** All records. @throws ZoneFileError for the first error */
export function* readZoneFile(lines: Iterable<string>, options: ZoneFileOptions): Generator<ZoneFileRecord> {
  for (const item of readZoneItems(lines, options)) {
    if (item instanceof ZoneFileError) throw item
    yield item
  }
}

/** All records and all errors, in order: an entry with an error is left out. */
export function* readZoneItems(
  lines: Iterable<string>,
  options: ZoneFileOptions,
): Generator<ZoneFileRecord | ZoneFileError> {
  const reader = createZoneReader(options)
  for (const line of lines) yield* reader.line(line)
  yield* reader.end()
}

/** A reader for lines that arrive one by one. */
export interface ZoneReader {
  /** The records and errors of the entry that ends with this line; usually at most one. */
  line(line: string): Iterable<ZoneFileRecord | ZoneFileError>
  /** The error of an entry that is still open at the end of the file. */
  end(): Iterable<ZoneFileError>
}

interface OpenEntry {
  readonly line: number
  text: string
  comment: string | undefined
  depth: number
}

/**
 * State that later entries inherit. Members are also undefined after a line that would set them but cannot be parsed.
 */
interface Context {
  origin: Name | undefined
  owner: Name | undefined
  /** $TTL. */
  defaultTtl: number | undefined
  lastTtl: number | undefined
  generatedCharacters: number
}

/** Reads a file line by line. */
export function createZoneReader(options: ZoneFileOptions): ZoneReader {
  const context: Context = {
    origin: options.origin,
    owner: undefined,
    defaultTtl: undefined,
    lastTtl: options.defaultTtlSeconds,
    generatedCharacters: 0,
  }
  let lineNumber = 0
  let open: OpenEntry | undefined

  return { line: readLine, end }

  function readLine(given: string): Iterable<ZoneFileRecord | ZoneFileError> {
    lineNumber += 1
    const line = lineNumber === 1 ? given.replace(/^\uFEFF/, '') : given
    const entry = open ?? { line: lineNumber, text: '', comment: undefined, depth: 0 }
    if (line.length + entry.text.length > MAX_ENTRY_CHARACTERS) {
      open = undefined
      context.owner = undefined
      const problem = `an entry has at most ${MAX_ENTRY_CHARACTERS} characters`
      return [new ZoneFileError('zone.too-long', lineNumber, 1, problem)]
    }
    const { depth, commentAt } = scanLine(line, entry.depth)
    entry.text += open === undefined ? line : `\n${line}`
    entry.comment = commentAt === -1 ? undefined : line.slice(commentAt).replace(/\r$/, '')
    entry.depth = depth
    open = depth > 0 ? entry : undefined
    return depth === 0 ? itemsOf(entry, context) : NO_ITEMS
  }

  function* end(): Generator<ZoneFileError> {
    if (open === undefined) return
    yield new ZoneFileError('text.parenthesis', open.line, 1, 'a parenthesis of this entry is not closed')
    open = undefined
  }
}

const NO_ITEMS: readonly never[] = []

/** At most one item, except of $GENERATE, which yields its records as they are read. */
function itemsOf(open: OpenEntry, context: Context): Iterable<ZoneFileRecord | ZoneFileError> {
  try {
    const { origin } = context
    forget(open.text, context)
    const entry = readEntry(open.text)
    const first = entry?.tokens[0]
    if (entry === undefined || first === undefined) return NO_ITEMS
    if (first.quoted || !first.text.startsWith('$') || entry.indented)
      return [readRecord(entry, open, context)]
    if (first.text.toUpperCase() === '$GENERATE') return guardItems(open, generate(entry, open, context))
    readDirective(first, new TokenReader(entry, { origin, skip: 1 }), context)
    return NO_ITEMS
  } catch (error) {
    return [locateError(error, open)]
  }
}

/** Yields the items, then the error that ended them. */
function* guardItems(
  open: OpenEntry,
  items: Iterable<ZoneFileRecord>,
): Generator<ZoneFileRecord | ZoneFileError> {
  try {
    yield* items
  } catch (error) {
    yield locateError(error, open)
  }
}

/** The error with its line and column. @throws what is no error of the file */
function locateError(error: unknown, { text, line: firstLine }: OpenEntry): ZoneFileError {
  if (error instanceof ZoneFileError) return error
  if (!(error instanceof TextError || error instanceof WireError)) throw error
  const offset = error instanceof TextError ? error.offset : 0
  const { line, column } = positionOf(text, offset, firstLine)
  return new ZoneFileError(error.rule, line, column, error.message.replace(/ \(at (?:octet )?\d+\)/g, ''))
}

function readDirective({ text, offset }: Token, tokens: TokenReader, context: Context): void {
  const directive = text.toUpperCase()
  if (directive === '$ORIGIN') {
    const read = requireOrigin(tokens.origin, tokens).name()
    tokens.done()
    context.origin = read
  } else if (directive === '$TTL') context.defaultTtl = readTtl(tokens)
  else if (directive === '$INCLUDE')
    throw new TextError('zone.include', offset, '$INCLUDE directive not allowed')
  else throw new TextError('zone.directive', offset, `${text} is not a directive`)
  tokens.done()
}

/**
 * Clears what an entry is about to set. If it turns out to be unparsable, later entries must not inherit values from
 * before it.
 */
function forget(text: string, context: Context): void {
  if (!text.startsWith('$')) {
    if (/^[^\s;]/.test(text)) context.owner = undefined
  } else if (/^\$ORIGIN\b/i.test(text)) context.origin = undefined
  else if (/^\$GENERATE\b/i.test(text)) context.owner = undefined
  else if (/^\$TTL\b/i.test(text)) {
    context.defaultTtl = undefined
    context.lastTtl = undefined
  }
}

/** For entries with names below the origin: if the origin is unknown, only absolute names are accepted. */
function requireOrigin(origin: Name | undefined, tokens: TokenReader): TokenReader {
  if (origin === undefined && tokens.peek()?.text.endsWith('.') !== true)
    throw new TextError('zone.origin-missing', tokens.offset, 'the $ORIGIN above cannot be parsed')
  return tokens
}

/** `[owner] [ttl] [class] type rdata`; class and TTL in either order. */
function readRecord(entry: Entry, { line, comment }: OpenEntry, context: Context): ZoneFileRecord {
  const { origin } = context
  if (origin === undefined)
    throw new TextError('zone.origin-missing', 0, 'the $ORIGIN above cannot be parsed')
  const tokens = new TokenReader(entry, { origin })
  const name = entry.indented ? context.owner : readOwner(tokens, origin)
  if (name === undefined)
    throw new TextError(
      'zone.owner-missing',
      tokens.offset,
      'there is no earlier record whose name could be used',
    )
  context.owner = name
  const explicitTtl = skipTtlAndClass(tokens)
  const at = tokens.offset
  const { text } = tokens.next()
  const type = typeCode(text)
  if (type === undefined)
    throw new TextError(
      'zone.type',
      at,
      `${text} is not a known record type; others are written as TYPE65280`,
    )
  if (!isDataType(type)) throw new TextError('zone.type', at, `${text} is not a record type`)
  const ttlSeconds = explicitTtl ?? context.defaultTtl ?? context.lastTtl
  if (ttlSeconds === undefined)
    throw new TextError('zone.ttl-missing', at, 'there is no TTL here or in an earlier record')
  const attributes = comment === undefined ? NO_ATTRIBUTES : readAttributes(comment)
  if (attributes === undefined)
    throw new TextError('zone.tags', entry.end, 'the tags in the comment are malformed')
  const rdata = rdataFromTokens(type, tokens)
  context.lastTtl = ttlSeconds
  return { name, ttlSeconds, type, rdata, attributes, line }
}

function readOwner(tokens: TokenReader, origin: Name): Name {
  const { text, quoted, offset } = tokens.next()
  if (quoted) throw new TextError('text.quoted-name', offset, 'a name must not be quoted')
  try {
    return joinName(text, origin)
  } catch (error) {
    if (error instanceof NameError) throw new TextError(error.rule, offset + error.offset, error.message)
    throw error
  }
}

/** The TTL, if there is one. Only class IN is accepted. */
function skipTtlAndClass(tokens: TokenReader): number | undefined {
  let ttl: number | undefined
  let isClassRead = false
  for (let token = tokens.peek(); token !== undefined && !token.quoted; token = tokens.peek()) {
    if (typeCode(token.text) !== undefined) break // of most records, the first token
    const text = token.text.toUpperCase()
    if (!isClassRead && (text === 'IN' || text === `CLASS${CLASS.IN}`)) isClassRead = true
    else if (!isClassRead && /^(?:CH|HS|CS|CLASS\d+)$/.test(text))
      throw new TextError('zone.class', token.offset, 'only class IN is accepted')
    else if (ttl === undefined && parseTtl(text) !== undefined) {
      ttl = readTtl(tokens)
      continue
    } else break
    tokens.next()
  }
  return ttl
}

function readTtl(tokens: TokenReader): number {
  const { text, offset } = tokens.next()
  const seconds = parseTtl(text)
  if (seconds !== undefined && seconds <= MAX_TTL_SECONDS) return seconds
  throw new TextError(
    'zone.ttl',
    offset,
    `a TTL must be a number of seconds up to ${MAX_TTL_SECONDS}, or a value such as 1h30m`,
  )
}

/** `$GENERATE range owner [ttl] [class] type rdata`. */
function* generate(entry: Entry, open: OpenEntry, context: Context): Generator<ZoneFileRecord> {
  const [, range, template] = entry.tokens
  const numbers = range === undefined ? undefined : parseRange(range.text)
  const { offset } = range ?? elementAt(entry.tokens, 0)
  if (numbers === undefined || template === undefined) {
    throw new TextError('zone.generate', offset, 'a range such as 1-10 or 0-255/5 and a record must follow')
  }
  if (rangeCount(numbers) > MAX_GENERATED_RECORDS) {
    throw new TextError(
      'zone.generate-count',
      offset,
      `at most ${MAX_GENERATED_RECORDS} records can be generated`,
    )
  }
  const lines = open.text.slice(template.offset, entry.end)
  for (let number = numbers.start; number <= numbers.stop; number += numbers.step) {
    const text = substitute(lines, number)
    context.generatedCharacters += text?.length ?? 0 // undefined for a malformed modifier
    if (context.generatedCharacters > MAX_GENERATED_CHARACTERS) {
      const problem = `the $GENERATE lines of a file can produce at most ${MAX_GENERATED_CHARACTERS} characters`
      throw new TextError('zone.generate-count', offset, problem)
    }
    const made = text === undefined ? undefined : readEntry(text)
    if (made === undefined)
      throw new TextError('zone.generate', template.offset, 'a modifier is malformed, or negative')
    try {
      yield readRecord(made, open, context)
    } catch (error) {
      if (error instanceof TextError)
        throw new TextError(error.rule, template.offset, `for ${number}: ${error.message}`)
      throw error
    }
  }
}
