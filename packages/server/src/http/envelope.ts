// The envelope: compact JSON, members in the order that clients rely on when they search the text.
import type { ResultInfo, WireIssue } from '@zonereeve/contract'
import {
  type DomainError,
  fill,
  type Issue,
  type Notice,
  WIRE_ERRORS,
  WIRE_NOTICES,
  type WireError,
} from '@zonereeve/platform'

const CLEAN = '"success":true,"errors":[]'

/** `result` is JSON text. */
export function successText(result: string, extras: EnvelopeExtras = {}): string {
  const [head, tail] = successEnds(extras)
  return head + result + tail
}

/** The text before and after the result. */
export const successEnds = (extras: EnvelopeExtras): readonly [string, string] => [
  '{"result":',
  `,${CLEAN},"messages":${messagesText(extras)}}`,
]

/** Additional parts of a successful reply. */
export interface EnvelopeExtras {
  readonly notices?: readonly Notice[]
  readonly refused?: readonly Issue[]
}

/** The reply to a dry run: the reply of the real run, and the change sets (JSON texts) that it would make. */
export function rehearsedText(
  result: string,
  { notices = [], refused = [] }: EnvelopeExtras,
  changes: readonly string[],
): string {
  const messages = messagesText({ notices: [{ notice: 'dry_run' }, ...notices], refused })
  return `{"result":${result},${CLEAN},"messages":${messages},"changes":[${changes.join(',')}]}`
}

/** The envelope of a list. */
export interface ListContext {
  readonly info: ResultInfo
  /** Zones have `result_info` as the second member, all others as the last. */
  readonly infoSecond?: boolean | undefined
  readonly notices?: readonly Notice[] | undefined
}

/** `items` is the JSON text of the items, joined by commas. */
export function listText(items: string, around: ListContext): string {
  const [head, tail] = listEnds(around)
  return head + items + tail
}

/**
 * The same with items in UTF-8, as the database returns long lists: decoding and encoding them again would cost most.
 */
export function listOctets(items: Uint8Array, around: ListContext): Buffer {
  const [head, tail] = listEnds(around)
  return Buffer.concat([Buffer.from(head), items, Buffer.from(tail)])
}

/**
 * A page of a list with cursors; the last page has none. The API's schema and its SDKs read different members, so
 * both are set.
 */
export function cursorListText(items: string, after: string | undefined): string {
  const info =
    after === undefined ? '' : `,"result_info":${JSON.stringify({ cursor: after, cursors: { after } })}`
  return `{"result":[${items}],${CLEAN},"messages":[]${info}}`
}

/** The text before and after the items of a list. */
export function listEnds({ info, infoSecond = false, notices = [] }: ListContext): readonly [string, string] {
  const counts = `"result_info":${JSON.stringify(info)}`
  const messages = `"messages":${messagesText({ notices })}`
  return infoSecond
    ? ['{"result":[', `],${counts},${CLEAN},${messages}}`]
    : ['{"result":[', `],${CLEAN},${messages},${counts}}`]
}

export interface Failure {
  readonly status: number
  readonly body: string
}

/** The reply to an error; the first issue determines the status. */
export function failureOf(error: DomainError): Failure {
  const first: WireError = WIRE_ERRORS[error.issues[0].reason]
  const errors = JSON.stringify(error.issues.map(wireIssue))
  const messages = messagesText({ notices: error.notices })
  return {
    status: first.status,
    body:
      first.layer === 'gateway'
        ? `{"success":false,"errors":${errors},"messages":${messages},"result":null}`
        : `{"result":null,"success":false,"errors":${errors},"messages":${messages}}`,
  }
}

function wireIssue(issue: Issue): WireIssue {
  const { code, message, chain }: WireError = WIRE_ERRORS[issue.reason]
  const subject = issue.subject === undefined ? '' : `${issue.subject}: `
  const detail = issue.detail === undefined ? '' : ` ${issue.detail}`
  return {
    code,
    message: `${subject}${fill(message, issue.values)}${detail}`,
    // The pointer to the whole body is the empty string (RFC 6901 §5), which clients do not show: it is omitted.
    ...(issue.pointer ? { source: { pointer: issue.pointer } } : {}),
    ...(issue.meta === undefined ? {} : { meta: { ...issue.meta } }),
    ...(chain === undefined ? {} : { error_chain: chain.map((link) => ({ ...link })) }),
  }
}

function messagesText({ notices = [], refused = [] }: EnvelopeExtras): string {
  if (notices.length + refused.length === 0) return '[]'
  return JSON.stringify([...refused.map(wireIssue), ...notices.map(wireNotice)])
}

function wireNotice({ notice, values }: Notice): object {
  const line: { code: number; message: string; extra?: object } = WIRE_NOTICES[notice]
  return { code: line.code, message: fill(line.message, values), ...line.extra }
}

/** Counts for a page of a list; an empty list has one (empty) page. */
export function resultInfo(page: number, perPage: number, count: number, totalCount: number): ResultInfo {
  const totalPages = Math.max(1, Math.ceil(totalCount / perPage))
  return { page, per_page: perPage, count, total_count: totalCount, total_pages: totalPages }
}
