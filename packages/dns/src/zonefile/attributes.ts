// The comment after a record, and the attributes in it: `; the comment cf_tags=a,b:value,cf-proxied:true`.

/** The content of a comment after a record. */
export interface RecordAttributes {
  /** Empty if there is none. */
  readonly comment: string
  /** `name` or `name:value`. */
  readonly tags: readonly string[]
  /** Undefined if the comment does not say. */
  readonly proxied?: boolean
  readonly flattenCname?: true
  /** For a proxied record: answered only with addresses of one family. */
  readonly ipv4Only?: true
  readonly ipv6Only?: true
}

/** For a record without a comment. */
export const NO_ATTRIBUTES: RecordAttributes = { comment: '', tags: [] }

const MARK = 'cf_tags='
const PROXIED = 'cf-proxied'
/** Reserved tags that are flags. */
const FLAGS = {
  flattenCname: 'cf-flatten-cname',
  ipv4Only: 'cf-ipv4-only',
  ipv6Only: 'cf-ipv6-only',
} as const
type Flag = keyof typeof FLAGS
const FLAG_NAMES = Object.keys(FLAGS) as readonly Flag[] // the keys of FLAGS are flags

/**
 * Reads the text after the semicolon. The tags begin at the last `cf_tags=`; the text before it is the comment with
 * its exact whitespace. Without tags, the whole text is the comment, trimmed. Undefined if the tags are malformed.
 */
export function readAttributes(text: string): RecordAttributes | undefined {
  const at = markAt(text)
  if (at === -1) return { comment: text.trim(), tags: [] }
  const comment = text.slice(0, at).replace(/^ /, '').replace(/ $/, '')
  const all = readTags(text.slice(at + MARK.length).trim())
  if (all === undefined || !all.every(isHonoured)) return undefined
  const tags = all.filter((tag) => !isReserved(tag))
  const proxied = all.findLast((tag) => tag.startsWith(`${PROXIED}:`))
  return {
    comment,
    tags,
    ...(proxied === undefined ? {} : { proxied: proxied === `${PROXIED}:true` }),
    ...Object.fromEntries(FLAG_NAMES.filter((flag) => all.includes(FLAGS[flag])).map((flag) => [flag, true])),
  }
}

/** The inverse of readAttributes: the text after the semicolon, empty if there are no attributes. */
export function attributesText(attributes: RecordAttributes): string {
  const { comment, tags, proxied } = attributes
  const all = [
    ...tags.map(tagText),
    ...(proxied === undefined ? [] : [`${PROXIED}:${proxied}`]),
    ...FLAG_NAMES.filter((flag) => attributes[flag] === true).map((flag) => FLAGS[flag]),
  ]
  const isExact = comment === comment.trim() && markAt(comment) === -1
  const shown = comment === '' ? '' : ` ${comment}`
  return all.length === 0 && isExact ? shown : `${shown} ${MARK}${all.join(',')}`
}

/** Position of the last `cf_tags=` that is a separate word. */
function markAt(text: string): number {
  for (let at = text.lastIndexOf(MARK); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(MARK, at - 1)) {
    if (at === 0 || text[at - 1] === ' ') return at
  }
  return -1
}

function readTags(text: string): string[] | undefined {
  const tags: string[] = []
  for (let rest = text; rest !== '';) {
    const match = TAG.exec(rest)
    const value = match?.[2]?.startsWith('"') === true ? jsonText(match[2]) : match?.[2]
    if (match?.[1] === undefined || (match[2] !== undefined && value === undefined)) return undefined
    tags.push(value === undefined ? match[1] : `${match[1]}:${value}`)
    rest = rest.slice(match[0].length)
  }
  return tags
}

/** A tag up to the next comma, its value plain or as a JSON string. */
const TAG = /^([^\s:,"]+)(?::("(?:[^"\\]|\\.)*"|[^",]*))?(?:,\s*|$)/

const isReserved = (tag: string): boolean =>
  tag.startsWith(`${PROXIED}:`) || FLAG_NAMES.some((flag) => tag === FLAGS[flag])

/** Reserved tags accept only these values. */
function isHonoured(tag: string): boolean {
  const [name = ''] = tag.split(':')
  if (name === PROXIED) return /:(?:true|false)$/.test(tag) && tag.split(':').length === 2
  return !FLAG_NAMES.some((flag) => name === FLAGS[flag]) || tag === name
}

function jsonText(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined // reported as malformed tags
  }
}

/** Values with special characters are written as JSON; a `cf_tags=` inside them is escaped. */
function tagText(tag: string): string {
  const colon = tag.indexOf(':')
  if (colon === -1 || /^[\w./:@+-]*$/.test(tag.slice(colon + 1))) return tag
  const json = JSON.stringify(tag.slice(colon + 1)).replaceAll(MARK, 'cf_tags\\u003d')
  return `${tag.slice(0, colon)}:${json}`
}
