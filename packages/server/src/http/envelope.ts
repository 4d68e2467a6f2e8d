// The envelope: compact JSON, members in the order that clients which search the text rely on.
import type { ResultInfo, WireIssue } from '@zonereeve/contract'
import type { DomainError, Issue, Notice } from '../platform/domain-error.ts'
import { fill, WIRE_ERRORS, WIRE_NOTICES, type WireError } from './wire-errors.ts'

const CLEAN = '"success":true,"errors":[]'

/** `result` is JSON text. */
export function successText(result: string, told: Told = {}): string {
  return `{"result":${result},${CLEAN},"messages":${messagesText(told)}}`
}

/** What is said beside a result. */
export interface Told {
  readonly notices?: readonly Notice[]
  readonly refused?: readonly Issue[]
}

/** The reply to a dry run: what the real one would say, and the change sets (JSON texts) that it would make. */
export function rehearsedText(
  result: string,
  { notices = [], refused = [] }: Told,
  changes: readonly string[],
): string {
  const messages = messagesText({ notices: [{ notice: 'dry_run' }, ...notices], refused })
  return `{"result":${result},${CLEAN},"messages":${messages},"changes":[${changes.join(',')}]}`
}

/** What stands around the items of a list. */
export interface ListSurroundings {
  readonly info: ResultInfo
  /** Zones put `result_info` second, all others last. */
  readonly infoSecond?: boolean | undefined
  readonly notices?: readonly Notice[] | undefined
}

/** `items` is the JSON text of the items, joined by commas. */
export function listText(items: string, around: ListSurroundings): string {
  const [head, tail] = listEnds(around)
  return head + items + tail
}

/** The same of items in UTF-8, as the database gives long lists: decoding them to encode them again would cost most. */
export function listOctets(items: Uint8Array, around: ListSurroundings): Buffer {
  const [head, tail] = listEnds(around)
  return Buffer.concat([Buffer.from(head), items, Buffer.from(tail)])
}

/** A page of a list walked by cursors; the last one names none. The schema of the API says it one way, its SDKs read another. */
export function cursorListText(items: string, after: string | undefined): string {
  const info =
    after === undefined ? '' : `,"result_info":${JSON.stringify({ cursor: after, cursors: { after } })}`
  return `{"result":[${items}],${CLEAN},"messages":[]${info}}`
}

/** What stands before and behind the items of a list. */
export function listEnds({
  info,
  infoSecond = false,
  notices = [],
}: ListSurroundings): readonly [string, string] {
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

/** The reply to a refusal; the first issue decides about the status. */
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
    ...(issue.pointer === undefined ? {} : { source: { pointer: issue.pointer } }),
    ...(issue.meta === undefined ? {} : { meta: { ...issue.meta } }),
    ...(chain === undefined ? {} : { error_chain: chain.map((link) => ({ ...link })) }),
  }
}

function messagesText({ notices = [], refused = [] }: Told): string {
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
