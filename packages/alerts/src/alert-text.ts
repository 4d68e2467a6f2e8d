// What an e-mail about events says: what is urgent first, each event with its page. Everything in it may come from an
// attacker, so addresses are written in a form that no program turns into a link.

export interface AlertEvent {
  readonly number: number
  readonly at: string
  readonly kind: string
  readonly url: string
  readonly pageUrl: string
}

export interface AlertZone {
  readonly name: string
  /** Of its pages in the dashboard; undefined if the server does not know its own address. */
  readonly dashboardUrl: string | undefined
}

export interface AlertText {
  readonly subject: string
  readonly text: string
}

/** The rest is counted. */
const MAX_LISTED = 50
const MAX_ADDRESS_CHARACTERS = 300

/** Words of kinds, most urgent first. */
const WORDS: readonly (readonly [end: string, one: string, many: string])[] = [
  ['.reported', 'became malicious', 'became malicious'],
  ['.unfetched', 'ran with a content that was never fetched', 'ran with a content that was never fetched'],
  ['.policy_drift', 'is sent without a deployed policy', 'are sent without a deployed policy'],
  ['.headers_changed', 'has other security headers', 'have other security headers'],
  ['.scripts_changed', 'has other scripts in its HTML', 'have other scripts in their HTML'],
  ['.changed', 'changed', 'changed'],
  ['.bytes_changed', 'changed its bytes', 'changed their bytes'],
  ['.analysis_ended', 'could not be analyzed', 'could not be analyzed'],
  ['.failed', 'could not be checked', 'could not be checked'],
  ['.new', 'is new', 'are new'],
  ['.inactive', 'is no longer loaded', 'are no longer loaded'],
  ['.cleared', 'is no longer malicious', 'are no longer malicious'],
]

/** @param events oldest first; none for a test. */
export function writeAlert({ name, dashboardUrl }: AlertZone, events: readonly AlertEvent[]): AlertText {
  const footer = [
    '',
    '--',
    `Zonereeve sends this because of an e-mail alert of the zone ${name}.`,
    ...(dashboardUrl === undefined ? [] : [dashboardUrl]),
    '',
  ]
  if (events.length === 0) {
    const text = [`This is a test of an e-mail alert of the zone ${name}. Nothing has happened.`, ...footer]
    return { subject: `[${name}] Test of an e-mail alert`, text: text.join('\n') }
  }
  const sorted = events.toSorted((a, b) => urgencyOf(a.kind) - urgencyOf(b.kind) || a.number - b.number)
  const counts = countsOf(sorted)
  const [first] = counts
  if (first === undefined) throw new Error('there are no events to write about')
  const others = events.length - first.count
  const subject = `[${name}] ${first.phrase}${others === 0 ? '' : `, and ${others} more ${others === 1 ? 'event' : 'events'}`}`
  const hidden = events.length - MAX_LISTED
  const text = [
    ...counts.map(({ phrase }) => phrase),
    '',
    ...sorted.slice(0, MAX_LISTED).flatMap(linesOf),
    ...(hidden > 0
      ? [`${hidden} more events of these kinds are not listed here. GET …/page_shield/events lists all.`]
      : []),
    ...footer,
  ]
  return { subject, text: text.join('\n') }
}

function urgencyOf(kind: string): number {
  const found = WORDS.findIndex(([end]) => kind.endsWith(end))
  return found < 0 ? WORDS.length : found // a kind of a later version
}

/** `2 scripts changed`, in the order of their first events. */
function countsOf(
  events: readonly AlertEvent[],
): readonly { readonly count: number; readonly phrase: string }[] {
  const counts = new Map<string, number>()
  for (const { kind } of events) {
    const before = counts.get(kind)
    counts.set(kind, before === undefined ? 1 : before + 1)
  }
  return [...counts].map(([kind, count]) => ({ count, phrase: phraseOf(kind, count) }))
}

function phraseOf(kind: string, count: number): string {
  const noun = kind.replace(/\..*$/, '')
  const words = WORDS[urgencyOf(kind)]
  if (words === undefined) return `${count} events ${kind}`
  const [, one, many] = words
  return count === 1 ? `1 ${noun} ${one}` : `${count} ${noun}s ${many}`
}

const linesOf = ({ at, kind, url, pageUrl }: AlertEvent): readonly string[] => [
  `${at}  ${kind}`,
  `  ${withoutLink(url)}`,
  ...(pageUrl === '' ? [] : [`  on ${withoutLink(pageUrl)}`]),
  '',
]

/** `hxxps://cdn[.]example[.]net/a.js`, as security reports write it. */
export function withoutLink(url: string): string {
  const short = url.length > MAX_ADDRESS_CHARACTERS ? `${url.slice(0, MAX_ADDRESS_CHARACTERS)}…` : url
  const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z+.-]*:\/\/)?([^/?#]*)(.*)$/isu.exec(short) ?? []
  const visible = `${scheme.replace(/^http/i, 'hxxp')}${host.replaceAll('.', '[.]')}${rest}`
  return visible.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}
